/** The share of words that an answer and the right one have in common, as SQuAD counts it. */
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

/** How often one of the first scores above one of the second; even counts half. */
export function areaUnderCurve(positive: number[], negative: number[]): number {
  const sorted = negative.toSorted((a, b) => a - b)
  let sum = 0
  for (const score of positive)
    sum += (below(sorted, score, false) + below(sorted, score, true)) / 2
  return sum / (positive.length * negative.length)
}

function below(sorted: number[], score: number, orEqual: boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < score || (orEqual && sorted[middle] === score)) low = middle + 1
    else high = middle
  }
  return low
}

function normalize(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
}
