/** Text that a page draws at once: a word, a line, sometimes a single letter. Upright, with y pointing down. */
export interface Piece {
  text: string
  left: number
  right: number
  baseline: number
  height: number
  /** The file has a space before this piece. */
  spaced: boolean
  /** The font's name within the file; empty if it says nothing about headings. */
  font: string
}

/** A piece as it stands in the file, possibly rotated. */
export interface DrawnText {
  str: string
  /** The PDF text matrix: size and direction, then position. */
  transform: number[]
  width: number
  fontName?: string
}

/** Turns pieces upright, grouped by direction of writing. The direction with the most text comes first. */
export function turnUpright(drawn: DrawnText[]): Piece[][] {
  const directions = new Map<number, { pieces: Piece[]; characters: number }>()
  let spaced = false
  for (const { str, transform, width, fontName: font = '' } of drawn) {
    const text = tidy(str)
    if (text.trim() === '') {
      spaced = true
      continue
    }
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
    const angle = Math.atan2(b, a)
    const left = x * Math.cos(angle) + y * Math.sin(angle)
    const baseline = x * Math.sin(angle) - y * Math.cos(angle)
    const height = Math.hypot(c, d)
    if (![left, baseline, height, width].every(Number.isFinite)) continue
    const degrees = Math.round((angle * 180) / Math.PI)
    const direction = directions.get(degrees) ?? { pieces: [], characters: 0 }
    directions.set(degrees, direction)
    direction.pieces.push({ text, left, right: left + width, baseline, height, spaced, font })
    direction.characters += text.length
    spaced = false
  }
  return [...directions.values()]
    .sort((a, b) => b.characters - a.characters)
    .map(({ pieces }) => withoutDoubles(pieces))
}

// Ligatures and Arabic letter forms become the letters they stand for.
const SHAPES = /[\uFB00-\uFDFF\uFE70-\uFEFC\u2F00-\u2FDF]+/g
// A lam-alef ligature in a reversed line comes out as alef and lam. The Arabic article reveals it.
const TURNED_ARTICLE = /(?<!\p{L})ا([أإآ])ل/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\uFFFE\uFFFF]/g

// Some files draw a letter before its accent, others after it.
const ACCENTS: Record<string, [bases: string, combining: string]> = {
  '´': ['aeiouy', '\u0301'],
  '`': ['aeiou', '\u0300'],
  ˆ: ['aeiou', '\u0302'],
  '¨': ['aeiouy', '\u0308'],
  '˜': ['ano', '\u0303'],
  '¸': ['c', '\u0327'],
}
const ACCENTED = /(\p{L})([´`ˆ¨˜¸])(\p{L})/gu

function tidy(text: string): string {
  return text
    .replace(ACCENTED, (drawn, before: string, accent: string, after: string) => {
      const [bases, combining] = ACCENTS[accent]!
      const takes = (letter: string) => bases.includes(letter.toLowerCase())
      if (takes(before)) return (before + combining).normalize('NFC') + after
      return takes(after) ? before + (after + combining).normalize('NFC') : drawn
    })
    .replace(SHAPES, (shapes) => shapes.normalize('NFKC'))
    .replace(TURNED_ARTICLE, 'ال$1')
    .replace(/[\u00A0\u2000-\u200A\u202F]/g, ' ')
    .replaceAll('\uF0B7', '•')
    .replace(CONTROLS, '')
}

/** Some files draw letters twice, slightly offset, to make them look bold. */
function withoutDoubles(pieces: Piece[]): Piece[] {
  const drawn = new Map<string, Piece[]>()
  return pieces.filter((piece) => {
    const same = drawn.get(piece.text) ?? []
    drawn.set(piece.text, same)
    const near = Math.min(piece.height, piece.right - piece.left) * 0.2
    // Compares only the last few: a page of a thousand equal cells would take quadratic time.
    const isDouble = same
      .slice(-8)
      .some(
        ({ left, baseline }) =>
          Math.abs(left - piece.left) <= near && Math.abs(baseline - piece.baseline) <= near,
      )
    if (!isDouble) same.push(piece)
    return !isDouble
  })
}
