// At the upper and at the lower edge of a page.
const EDGE_LINES = 3
const LONGEST_EDGE = 150
// What stands on so many pages, and on so large a share of them (left and right ones may differ), belongs to none.
const LEAST_PAGES = 4
const LEAST_SHARE = 0.4
const LONGEST_LINE = 300

/** The pages without what they repeat at their edges: what all of them do is kept once. */
export function withoutRunningLines(pages: string[]): string[] {
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
      if (PAGE_NUMBER.test(lines[at]!) || ROMAN_NUMBER.test(lines[at]!)) return true
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
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  })
}

/** What the pages of one chapter begin or end with, and those around them, too: “CHAPTER 2\t2.1 WHERE TO GO”. */
function findChapterLines(read: { lines: string[] }[]): Set<number>[] {
  const edges = [0, -1].map((end) => read.map(({ lines }) => aloneAt(lines, end)))
  const isTold = toldIn(
    read.map(({ lines }, i) => lines.filter((_, at) => edges.every((edge) => edge[i]?.at !== at))),
  )
  const found = read.map(() => new Set<number>())
  for (const edge of edges) {
    const isOn = (cell: string, ...pages: number[]) =>
      pages.some((page) => edge[page]?.cells.includes(cell))
    const chapters = edge.map((line, i) => {
      const isRepeated = (cell: string) => isOn(cell, i - 1, i - 2)
      const isAround = (cell: string) => isRepeated(cell) || isOn(cell, i + 1, i + 2)
      return (
        line?.cells.some(isAround) && line.cells.every((cell) => isRepeated(cell) || isTold(cell))
      )
    })
    const count = chapters.filter(Boolean).length
    if (count < LEAST_PAGES) continue
    // A chapter may have one such page alone.
    const isUsual = count >= read.length * LEAST_SHARE
    for (const [i, line] of edge.entries()) {
      const isLikeThem = isUsual && line && line.cells.length > 1 && line.cells.every(isTold)
      if (line && (chapters[i] || isLikeThem)) found[i]!.add(line.at)
    }
  }
  return found
}

/** Whether a line says the same, whatever its case; of what was cut off, whether one begins with it. */
function toldIn(pages: string[][]): (cell: string) => boolean {
  let lines: Set<string> | undefined
  let sorted: string[] | undefined
  return (cell) => {
    lines ??= new Set(pages.flatMap((page) => page.filter(isShort).map(plain)))
    const words = plain(cell)
    if (!CUT_OFF.test(cell)) return lines.has(words)
    sorted ??= [...lines].sort()
    return firstFrom(sorted, words)?.startsWith(words) ?? false
  }
}

/** The first that is not before it, of what is sorted. */
function firstFrom(sorted: string[], words: string): string | undefined {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < words) low = middle + 1
    else high = middle
  }
  return sorted[low]
}

function isShort(line: string): boolean {
  return line.length <= LONGEST_LINE
}

/** The first or the last line of a page, if it stands alone. Left and right of it may say different things. */
function aloneAt(lines: string[], end: number) {
  const at = end === 0 ? lines.findIndex(isWritten) : lines.findLastIndex(isWritten)
  const line = lines[at]?.trim() ?? ''
  const beside = lines[at + (end === 0 ? 1 : -1)] ?? ''
  // What stands out is what the page is about, as on a slide.
  if (at < 0 || isWritten(beside) || line.startsWith('#') || line.length > LONGEST_EDGE) return
  const cells = line.split('\t').map(formOf)
  return { at, cells: cells.filter((cell) => /\p{L}{2}/u.test(cell)) }
}

const CUT_OFF = /(?:…|\.\.\.)$/

/** Without its number, and what it was cut off with. */
function plain(text: string): string {
  return text
    .replace(/^#+\s*/, '')
    .toLowerCase()
    .replace(/^(?:chapter |section |part )?[\d.]+\s+/, '')
    .replace(CUT_OFF, '')
    .replace(/\s+/g, ' ')
    .trim()
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
const NUMBER_ALONE =
  /^[-–—\s]*(?:(?:page|seite|p[aá]gina|pag\.|p\.|s\.)\s*)?\d{1,5}(?:\s*(?:of|von|de|di|sur)\s*\d{1,5})?[-–—\s.]*$/iu
const NUMBER_BESIDE = /[|·•\t]|\s[–—/-]\s|\d\/\d+\s*$/u

const PAGE_NUMBER =
  /^(?:page|seite|p[aá]gina|pag\.|pagina)\s*\d{1,5}(?:\s*(?:of|von|de|di|sur|van|\/)\s*\d{1,5})?$/i
// As those before the first chapter are counted.
const ROMAN_NUMBER = /^(?:[iv]|[ivxl]{2,7})$/

/** The same on all pages, their numbers left aside. */
function formOf(line: string): string {
  const form = line.replace(/^#+ /, '').trim()
  const isNumbered = NUMBER_ALONE.test(form) || NUMBER_BESIDE.test(form)
  return (isNumbered ? form.replace(/\d+/g, '0') : form).replace(/\s+/g, ' ')
}
