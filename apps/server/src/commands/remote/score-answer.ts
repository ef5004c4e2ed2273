/**
 * Scores how much of the expected text the answer contains, from 0 to 1: the share of its words. Wordings are separated
 * by |, and the best counts. An empty expectation means that the chatbot should not know the answer.
 */
export function scoreAnswer(expected: string, answer: string, answered: boolean): number {
  if (expected.trim() === '') return answered ? 0 : 1
  const said = new Set(wordsOf(answer))
  const scores = expected.split('|').map((wording) => {
    const words = wordsOf(wording)
    if (words.length === 0) return 0
    return words.filter((word) => said.has(word)).length / words.length
  })
  return Math.max(...scores)
}

function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\[\d+\.\d+\]/g, ' ')
  return [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(plain)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}
