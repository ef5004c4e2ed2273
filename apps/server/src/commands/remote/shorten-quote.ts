const SHORT = 160
const LONGEST = 320

/**
 * Shortens a quote for a footnote. A short quote stays whole. A longer one keeps the sentences that the answer uses,
 * because the range of a citation includes everything between its first and its last sentence.
 */
export function shortenQuote(quote: string, answer: string): string {
  const plain = quote.replaceAll(/\s+/g, ' ').trim()
  if (plain.length <= SHORT) return plain
  const said = new Set(wordsOf(answer))
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(plain)]
    .map(({ segment }) => segment.trim())
    .map((text) => ({ text, share: shareOf(wordsOf(text), said) }))
  const best = Math.max(...sentences.map(({ share }) => share))
  const pieces: string[] = []
  let isGap = false
  for (const { text, share } of sentences) {
    const isSaid = share >= best / 2
    if (isSaid) pieces.push(...(isGap ? ['…'] : []), text)
    isGap = !isSaid
  }
  const shown = pieces.join(' ')
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1).toWellFormed()}…`
}

function shareOf(words: string[], said: Set<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => said.has(word)).length / words.length
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
