// Characters that nobody sees: they hide text within text, or break an address into pieces that look whole.
const HIDDEN = new RegExp(
  [
    String.raw`[\0\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164]`,
    String.raw`[\ufeff\uffa0\ufff9-\ufffb]|\u034f|\u17b4|\u17b5|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]`,
  ].join('|'),
  'u',
)
// These join letters and emoji, and belong only where there is something to join.
const JOINER = /^[\u200c\u200d]$/
const SELECTOR = /^[\ufe00-\ufe0f]$/
const UNUSUAL = new RegExp(String.raw`${HIDDEN.source}|[\u200c\u200d]|[\ufe00-\ufe0f]`, 'u')

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
    if (UNUSUAL.test(whole)) whole = this.#strip(whole, removed)
    this.#last = [...whole.slice(-2)].at(-1) ?? this.#last
    return { text: whole, removed }
  }

  /** Half a character that never got its other half. */
  end(): string {
    return this.#half
  }

  #strip(text: string, removed: string[]): string {
    let kept = ''
    let last = this.#last
    for (const character of text) {
      if (HIDDEN.test(character) || isMisplaced(character, last)) {
        removed.push(`U+${character.codePointAt(0)!.toString(16).toUpperCase()}`)
      } else {
        kept += character
        last = character
      }
    }
    return kept
  }
}

function isMisplaced(character: string, last: string): boolean {
  if (JOINER.test(character)) return last === '' || last <= '\u007f' || JOINER.test(last)
  // Digits become keycaps by one.
  if (SELECTOR.test(character))
    return last === '' || /^[^\d#*\u0080-\u{10ffff}]|[\ufe00-\ufe0f]/u.test(last)
  return false
}
