import { withoutRunningLines } from './running-lines.ts'

const BREAK = '\n\n'
const LONGEST_WORD = 60

/** Joins pages into one text and lists where each begins. Lines that repeat at page edges are kept once. */
export function joinPages(pages: string[]): { text: string; pages: number[] } {
  const bodies = withoutRunningLines(pages)
  const isWord = wordsOf(bodies)
  const parts: string[] = []
  const starts: number[] = []
  let length = 0
  let before = ''
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const [i, body] of bodies.entries()) {
    if (body === '') continue
    if (isDivided(before, body, isWord)) {
      parts.push(parts.pop()!.slice(0, -1))
      length -= 1
    } else if (before !== '') add(goesOn(before, body) ? '\n' : BREAK)
    // Empty pages begin where the next page begins.
    while (starts.length <= i) starts.push(length)
    add(body)
    before = body
  }
  while (starts.length < pages.length) starts.push(length)
  return { text: parts.join(''), pages: starts }
}

/** A sentence may continue on the next page. */
function goesOn(before: string, next: string): boolean {
  return /[\p{L}\p{N},)]$/u.test(before.slice(-2)) && /^\p{Ll}/u.test(next)
}

/**
 * A word may continue on the next page, too. It is joined only if it occurs elsewhere: “self-service” keeps its hyphen.
 */
function isDivided(before: string, next: string, isWord: (word: string) => boolean): boolean {
  const begin = /(?<![\p{L}-])\p{L}{2,}(?=-$)/u.exec(before.slice(-LONGEST_WORD))?.[0]
  const end = /^\p{Ll}{2,}/u.exec(next.slice(0, LONGEST_WORD))?.[0]
  return begin !== undefined && end !== undefined && isWord(begin + end)
}

function wordsOf(pages: string[]): (word: string) => boolean {
  let words: Set<string> | undefined
  return (word) => {
    words ??= new Set(pages.flatMap((page) => page.toLowerCase().match(/\p{L}+/gu) ?? []))
    return words.has(word.toLowerCase())
  }
}
