import { attribute, walkXml } from '../containers/xml.ts'

interface Level {
  format: string
  /** A template such as `%1.%2)`. */
  text: string
  start: number
}

interface List {
  levels: Map<number, Level>
  /** Lists of one definition share their counters, unless a list restarts. */
  counters: number[]
}

/** Marks of list items and numbered headings. Word does not store them but counts them on display. */
export class DocxNumbering {
  readonly #lists = new Map<string, List>()

  constructor(numbering: Uint8Array | undefined) {
    const definitions = new Map<string, List>()
    let list: List | undefined
    let level: Level | undefined
    let number = ''
    walkXml(numbering, {
      open: (name, attributes) => {
        const value = attribute(attributes, 'val') ?? ''
        if (name === 'abstractNum') {
          list = { levels: new Map(), counters: [] }
          definitions.set(attribute(attributes, 'abstractNumId') ?? '', list)
        } else if (name === 'num') {
          number = attribute(attributes, 'numId') ?? ''
        } else if (name === 'abstractNumId') {
          const definition = definitions.get(value)
          if (definition) this.#lists.set(number, definition)
        } else if (name === 'startOverride') {
          const shared = this.#lists.get(number)
          if (shared) this.#lists.set(number, { levels: shared.levels, counters: [] })
        } else if (name === 'lvl') {
          level = { format: 'decimal', text: '', start: 1 }
          const depth = Number(attribute(attributes, 'ilvl'))
          // Overrides of a level by a list are ignored: they seldom change more than its start.
          if (list && number === '') list.levels.set(depth, level)
        } else if (level && name === 'numFmt') level.format = value
        else if (level && name === 'lvlText') level.text = value
        else if (level && name === 'start') level.start = Number(value)
      },
    })
  }

  /** Returns the mark of the next item; '-' for bullets and unknown lists. */
  next(number: string, depth: number): string {
    const list = this.#lists.get(number)
    const level = list?.levels.get(depth)
    if (!list || !level) return '-'
    const { counters, levels } = list
    counters[depth] = (counters[depth] ?? level.start - 1) + 1
    counters.length = depth + 1
    if (level.format === 'bullet' || level.format === 'none') return '-'
    const mark = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const { format = 'decimal', start = 1 } = levels.get(at) ?? {}
      return formatCount(counters[at] ?? start, format)
    })
    return mark.trim() === '' ? '-' : mark.trim()
  }
}

const ROMAN: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function formatCount(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(count)
    case 'upperLetter':
      return letters(count).toUpperCase()
    case 'lowerRoman':
      return roman(count)
    case 'upperRoman':
      return roman(count).toUpperCase()
    default:
      return String(count)
  }
}

/** a to z, then aa, bb, as in Word. */
function letters(count: number): string {
  const index = (count - 1) % 26
  return String.fromCharCode(97 + Math.max(index, 0)).repeat(Math.min(Math.ceil(count / 26), 9))
}

function roman(count: number): string {
  let rest = Math.min(count, 3999)
  let written = ''
  for (const [value, digits] of ROMAN) {
    for (; rest >= value; rest -= value) written += digits
  }
  return written
}
