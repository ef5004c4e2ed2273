const BREAK = '\n\n'
// At the upper and at the lower edge of a page.
const EDGE_LINES = 3
const LONGEST_EDGE = 150
// What stands on so many pages, and on so large a share of them (left and right ones may differ), belongs to none.
const LEAST_PAGES = 4
const LEAST_SHARE = 0.4

/** One text of a document's pages, and where each begins. What all pages repeat at their edges is kept once. */
export function joinPages(pages: string[]): { text: string; pages: number[] } {
  const bodies = withoutRunningLines(pages)
  let text = ''
  const starts: number[] = []
  for (const [i, body] of bodies.entries()) {
    if (body === '') continue
    if (text !== '') text += goesOn(text, body) ? '\n' : BREAK
    // Empty pages begin where the next one does.
    while (starts.length <= i) starts.push(text.length)
    text += body
  }
  while (starts.length < pages.length) starts.push(text.length)
  return { text, pages: starts }
}

/** A sentence may begin on one page and end on the next. */
function goesOn(text: string, next: string): boolean {
  return /[\p{L}\p{N},)]$/u.test(text) && /^\p{Ll}/u.test(next)
}

function withoutRunningLines(pages: string[]): string[] {
  const read = pages.map((page) => {
    const lines = page.split('\n')
    return { page, lines, edge: edgeLines(lines).map((at) => ({ at, form: formOf(lines[at]!) })) }
  })
  const counts = new Map<string, number>()
  for (const { edge } of read) {
    for (const form of new Set(edge.map((one) => one.form)))
      counts.set(form, (counts.get(form) ?? 0) + 1)
  }
  const written = pages.filter((page) => page !== '').length
  const isRunning = (form: string) =>
    (counts.get(form) ?? 0) >= Math.max(LEAST_PAGES, written * LEAST_SHARE)
  const kept = new Set<string>()
  return read.map(({ page, lines, edge }) => {
    const running = edge.filter(({ at, form }) => {
      if (PAGE_NUMBER.test(lines[at]!)) return true
      if (!isRunning(form)) return false
      const isFirst = !kept.has(form) && /\p{L}{2}/u.test(form)
      kept.add(form)
      return !isFirst
    })
    const gone = new Set(running.map(({ at }) => at))
    const isAll = lines.every((line, at) => line.trim() === '' || gone.has(at))
    if (gone.size === 0 || isAll) return page
    return lines
      .filter((_, at) => !gone.has(at))
      .join('\n')
      .replace(/\n{3,}/g, BREAK)
      .trim()
  })
}

/** The numbers of the lines at a page's edges that may be on every page. The head of a table says what is below it. */
function edgeLines(lines: string[]): number[] {
  const written = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const edge = [...new Set([...written.slice(0, EDGE_LINES), ...written.slice(-EDGE_LINES)])]
  return edge.filter((at) => {
    const line = lines[at]!
    return line.length <= LONGEST_EDGE && (!line.includes('\t') || /\d/.test(line))
  })
}

// “12”, “Page 3 of 9”, “A handbook | 3” and “3/9”; but “Part 3” may be what the page is about.
const NUMBERED =
  /^[-–—\s]*(?:(?:page|seite|p[aá]gina|pag\.|p\.|s\.)\s*)?\d{1,5}(?:\s*(?:of|von|de|di|sur)\s*\d{1,5})?[-–—\s.]*$|[|·•\t]|\s[–—/-]\s|\d\/\d+\s*$/iu

const PAGE_NUMBER =
  /^(?:page|seite|p[aá]gina|pag\.|pagina)\s*\d{1,5}(?:\s*(?:of|von|de|di|sur|van|\/)\s*\d{1,5})?$/i

/** The same on all pages, their numbers left aside. */
function formOf(line: string): string {
  const form = line.replace(/^#+ /, '').trim()
  return (NUMBERED.test(form) ? form.replace(/\d+/g, '0') : form).replace(/\s+/g, ' ')
}
