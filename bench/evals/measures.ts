/** How good a ranking is, 1 being the best there can be: gain by grade, discounted by rank, over the first ten. */
export function ndcgAt10(ranked: string[], relevant: Map<string, number>): number {
  const gain = (grade: number, rank: number) => (2 ** grade - 1) / Math.log2(rank + 2)
  const got = ranked.slice(0, 10).map((id, rank) => gain(relevant.get(id) ?? 0, rank))
  const best = [...relevant.values()].sort((a, b) => b - a).slice(0, 10)
  return sum(got) / sum(best.map(gain))
}

/** How often a number of the one kind is above one of the other; half where they are equal. */
export function areaUnderCurve(positives: number[], negatives: number[]): number {
  let above = 0
  for (const positive of positives) {
    for (const negative of negatives) {
      above += positive > negative ? 1 : positive === negative ? 0.5 : 0
    }
  }
  return above / (positives.length * negatives.length)
}

export function mean(values: number[]): number {
  return sum(values) / values.length
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
