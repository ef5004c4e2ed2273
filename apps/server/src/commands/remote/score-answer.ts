/**
 * How much of what is expected the answer says, from 0 to 1: the share of its words, or everything when it stands there
 * as it is. Of several wordings, parted by |, the best counts. Nothing expected means that it should not know.
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
