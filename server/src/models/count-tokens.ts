/**
 * About how many tokens a text has, and rather too many than too few: each provider counts by tables of its own, and
 * a prompt has to fit in all of them. Loading such tables takes a hundred megabytes; this takes a microsecond a line.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [, word, digits, marks, spaces] of text.matchAll(PIECES)) {
    if (word) tokens += wordTokens(word)
    else if (digits) tokens += Math.ceil(digits.length / 2)
    else if (marks) tokens += marks.length
    else tokens += Math.ceil(spaces!.length / 8)
  }
  return tokens
}

// A single space belongs to the word after it.
const PIECES = /([\p{L}\p{M}]+)|(\p{N}+)|([^\p{L}\p{M}\p{N}\s]+)|(\s{2,}|[^\S ])/gu

function wordTokens(word: string): number {
  if (/^[a-z]/i.test(word) && word.length <= 5 && !/[^a-z]/i.test(word)) return 1
  // Latin words come in pieces of some letters; those of other alphabets in smaller ones, with about as many tokens
  // as bytes say.
  return Math.ceil(Buffer.byteLength(word) / (/[^\p{Script=Latin}]/u.test(word) ? 2.5 : 3))
}
