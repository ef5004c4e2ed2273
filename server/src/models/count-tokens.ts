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

// A single space belongs to the word after it, if there is one.
const PIECES = /([\p{L}\p{M}]+)|(\p{N}+)|([^\p{L}\p{M}\p{N}\s]+)|(\s{2,}|[^\S ]| (?!\p{L}))/gu

function wordTokens(word: string): number {
  // Short words are mostly known whole. Longer ones come in pieces, as those of other alphabets do.
  if (/^[a-z]{1,8}$|^[A-Z][a-z]{0,7}$|^[A-Z]{1,5}$/.test(word)) return word.length <= 5 ? 1 : 2
  // Random letters, as in a key, are hardly known at all.
  if (/[a-z][A-Z]/.test(word)) return Math.ceil(word.length / 1.2)
  return Math.ceil(Buffer.byteLength(word) / 2.5)
}
