// How many lines at the top and at the bottom of a page may repeat.
const EDGE_LINES = 3
const LONGEST_EDGE = 150
// A line on this many pages, and on this share of them, belongs to no page. Left and right pages may differ.
const LEAST_PAGES = 4
const LEAST_SHARE = 0.4
const LONGEST_LINE = 300

/** Removes lines that repeat at the edges of pages. The first one of each stays. */
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

/** Finds lines that the pages of one chapter, or their neighbors, begin or end with: “CHAPTER 2\t2.1 WHERE TO GO”. */
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
    // A chapter may have only one such page.
    const isUsual = count >= read.length * LEAST_SHARE
    for (const [i, line] of edge.entries()) {
      const isLikeThem = isUsual && line && line.cells.length > 1 && line.cells.every(isTold)
      if (line && (chapters[i] || isLikeThem)) found[i]!.add(line.at)
    }
  }
  return found
}

/** Whether any line says the same, ignoring case. For a cell that was cut off, a matching beginning is enough. */
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

/** Binary search for the first string that does not sort before `words`. */
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

/** The first or last line of a page, if it stands alone. Its left and right parts may say different things. */
function aloneAt(lines: string[], end: number) {
  const at = end === 0 ? lines.findIndex(isWritten) : lines.findLastIndex(isWritten)
  const line = lines[at]?.trim() ?? ''
  const beside = lines[at + (end === 0 ? 1 : -1)] ?? ''
  // A heading names the subject of the page, as on a slide.
  if (at < 0 || isWritten(beside) || line.startsWith('#') || line.length > LONGEST_EDGE) return
  const cells = line.split('\t').map(formOf)
  return { at, cells: cells.filter((cell) => /\p{L}{2}/u.test(cell)) }
}

const CUT_OFF = /(?:…|\.\.\.)$/

/** Strips the number, and the ellipsis of a heading that was cut off. */
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

/** Indexes of the edge lines that may repeat. A table header is no such line, because it names the cells below it. */
function edgeLines(lines: string[]): number[] {
  const written = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const edge = [...new Set([...written.slice(0, EDGE_LINES), ...written.slice(-EDGE_LINES)])]
  return edge.filter((at) => {
    const line = lines[at]!
    return line.length <= LONGEST_EDGE && (!line.includes('\t') || /\d/.test(line))
  })
}

// “12”, “Page 3 of 9”, “A handbook | 3” and “3/9”. But “Part 3” may be the subject of the page.
const NUMBER_ALONE =
  /^[-–—\s]*(?:(?:page|seite|p[aá]gina|pag\.|p\.|s\.)\s*)?\d{1,5}(?:\s*(?:of|von|de|di|sur)\s*\d{1,5})?[-–—\s.]*$/iu
const NUMBER_BESIDE = /[|·•\t]|\s[–—/-]\s|\d\/\d+\s*$/u

const PAGE_NUMBER =
  /^(?:page|seite|p[aá]gina|pag\.|pagina)\s*\d{1,5}(?:\s*(?:of|von|de|di|sur|van|\/)\s*\d{1,5})?$/i
// Pages before the first chapter have such numbers.
const ROMAN_NUMBER = /^(?:[iv]|[ivxl]{2,7})$/

/** The line with page numbers replaced, so that it is equal on all pages. */
function formOf(line: string): string {
  const form = line.replace(/^#+ /, '').trim()
  const isNumbered = NUMBER_ALONE.test(form) || NUMBER_BESIDE.test(form)
  return (isNumbered ? form.replace(/\d+/g, '0') : form).replace(/\s+/g, ' ')
}
