const BREAK = '\n\n'
// At the upper and at the lower edge of a page.
const EDGE_LINES = 3
const LONGEST_EDGE = 150
// What stands on so many pages, and on so large a share of them (left and right ones may differ), belongs to none.
const LEAST_PAGES = 4
const LEAST_SHARE = 0.4
// A word whose other half stands on the next page; not one that has a hyphen of its own.
const DIVIDED = /(?<![\p{L}-])\p{L}{2,}-$/u
const LONGEST_WORD = 60
const MOST_CHAPTERS = 500

/** One text of a document's pages, and where each begins. What all pages repeat at their edges is kept once. */
export function joinPages(pages: string[]): { text: string; pages: number[] } {
  const bodies = withoutRunningLines(pages)
  let text = ''
  const starts: number[] = []
  for (const [i, body] of bodies.entries()) {
    if (body === '') continue
    const isDivided = DIVIDED.test(text.slice(-LONGEST_WORD)) && /^\p{Ll}{2}/u.test(body)
    if (isDivided) text = text.slice(0, -1)
    else if (text !== '') text += goesOn(text, body) ? '\n' : BREAK
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
  const ofChapters = findChapterLines(read)
  const kept = new Set<string>()
  return read.map(({ page, lines, edge }, i) => {
    const running = edge.filter(({ at, form }) => {
      if (PAGE_NUMBER.test(lines[at]!)) return true
      if (!isRunning(form)) return false
      const isFirst = !kept.has(form) && /\p{L}{2}/u.test(form)
      kept.add(form)
      return !isFirst
    })
    const gone = new Set([...running.map(({ at }) => at), ...ofChapters[i]!])
    const isAll = lines.every((line, at) => line.trim() === '' || gone.has(at))
    if (gone.size === 0 || isAll) return page
    return lines
      .filter((_, at) => !gone.has(at))
      .join('\n')
      .replace(/\n{3,}/g, BREAK)
      .trim()
  })
}

/** What the pages of one chapter begin or end with, and those around them, too: “CHAPTER 2\t2.1 WHERE TO GO”. */
function findChapterLines(read: { lines: string[] }[]): Set<number>[] {
  const found = read.map(() => new Set<number>())
  for (const end of [0, -1] as const) {
    const alone = read.map(({ lines }) => aloneAt(lines, end))
    const isToldInText = toldIn(read.map(({ lines }, i) => lines.toSpliced(alone[i]?.at ?? 0, 1)))
    const isAlsoOn = (page: number, cells: string[]) =>
      alone[page]?.cells.some((cell) => cells.includes(cell)) ?? false
    const chapters = alone.map((line, i) => {
      if (!line) return false
      const isRepeated = [i - 1, i - 2].some((page) => isAlsoOn(page, line.cells))
      const isFirst = !isRepeated && [i + 1, i + 2].some((page) => isAlsoOn(page, line.cells))
      return isRepeated || (isFirst && line.cells.every(isToldInText))
    })
    const count = chapters.filter(Boolean).length
    if (count < LEAST_PAGES) continue
    // A chapter may have one such page alone.
    const isUsual = count >= read.length * LEAST_SHARE
    for (const [i, line] of alone.entries()) {
      const isLikeThem = isUsual && line && line.cells.length > 1 && line.cells.every(isToldInText)
      if (line && (chapters[i] || isLikeThem)) found[i]!.add(line.at)
    }
  }
  return found
}

/** Whether a text has some words, whatever their case: of many that are asked for, the first. */
function toldIn(pages: string[][]): (words: string) => boolean {
  let text: string | undefined
  let asked = 0
  return (words) => {
    asked += 1
    if (asked > MOST_CHAPTERS) return false
    text ??= pages.map((lines) => plain(lines.join(' '))).join(' ')
    return text.includes(plain(words))
  }
}

/** The first or the last line of a page, if it stands alone. Left and right of it may say different things. */
function aloneAt(lines: string[], end: 0 | -1) {
  const at = end === 0 ? lines.findIndex(isWritten) : lines.findLastIndex(isWritten)
  const line = lines[at]?.trim() ?? ''
  const beside = lines[at + (end === 0 ? 1 : -1)] ?? ''
  // What stands out is what the page is about, as on a slide.
  if (at < 0 || isWritten(beside) || line.startsWith('#') || line.length > LONGEST_EDGE) return
  const cells = line.split('\t').map(formOf)
  return { at, cells: cells.filter((cell) => /\p{L}{2}/u.test(cell)) }
}

/** Without its number, and what it was cut off with. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:chapter |section |part )?[\d.]+\s+/, '')
    .replace(/\s*(?:…|\.\.\.)$/, '')
    .replace(/\s+/g, ' ')
}

function isWritten(line: string): boolean {
  return line.trim() !== ''
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
  /^(?:(?:page|seite|p[aá]gina|pag\.|pagina)\s*\d{1,5}(?:\s*(?:of|von|de|di|sur|van|\/)\s*\d{1,5})?|[ivx]{2,6})$/i

/** The same on all pages, their numbers left aside. */
function formOf(line: string): string {
  const form = line.replace(/^#+ /, '').trim()
  return (NUMBERED.test(form) ? form.replace(/\d+/g, '0') : form).replace(/\s+/g, ' ')
}
