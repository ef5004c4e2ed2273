/** SQuAD's F1 over the words of an answer and the gold answer. */
export function tokenF1(answer: string, gold: string): number {
  const given = normalize(answer)
  const wanted = normalize(gold)
  if (given.length === 0 || wanted.length === 0) return Number(given.length === wanted.length)
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of given) {
    const count = left.get(word) ?? 0
    if (count > 0) common += 1
    left.set(word, count - 1)
  }
  return (2 * common) / (given.length + wanted.length)
}

export function exactMatch(answer: string, gold: string): number {
  return Number(normalize(answer).join(' ') === normalize(gold).join(' '))
}

function normalize(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
}
