// Characters that nobody sees: they hide text within text, or break an address into pieces that look whole.
const HIDDEN = new RegExp(
  [
    String.raw`[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164]`,
    String.raw`[\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]`,
  ].join('|'),
  'gu',
)
// These join letters and emoji, and belong only where there is something to join.
const JOINER = String.raw`(?:\u200c|\u200d)`
const SELECTOR = String.raw`[\ufe00-\ufe0f]`
const MISPLACED = new RegExp(
  [
    String.raw`(?<=[\p{ASCII}\s]|^)${JOINER}+`,
    String.raw`(?<=(?![\d#*])[\p{ASCII}\s]|^)${SELECTOR}+`,
    `(?<=${JOINER})${JOINER}+`,
    `(?<=${SELECTOR})${SELECTOR}+`,
  ].join('|'),
  'gu',
)

/** Removes them from a stream of text; says which ones there were. */
export class InvisibleStripper {
  #last = ''
  #half = ''

  add(text: string): { text: string; removed: string[] } {
    let whole = this.#half + text
    const end = whole.charCodeAt(whole.length - 1)
    const isHalf = end >= 0xd800 && end <= 0xdbff
    this.#half = isHalf ? whole.slice(-1) : ''
    if (isHalf) whole = whole.slice(0, -1)
    const removed: string[] = []
    const note = (found: string) => {
      for (const one of found) removed.push(`U+${one.codePointAt(0)!.toString(16).toUpperCase()}`)
      return ''
    }
    const shown = (this.#last + whole.replace(HIDDEN, note)).replace(MISPLACED, note)
    const kept = shown.slice(this.#last.length)
    this.#last = [...shown].at(-1) ?? ''
    return { text: kept, removed }
  }

  /** Half a character that never got its other half. */
  end(): string {
    return this.#half
  }
}
