/** nDCG over the top ten results: graded gain, discounted by rank. 1 is a perfect ranking. */
export function ndcgAt10(ranked: string[], relevant: Map<string, number>): number {
  const gain = (grade: number, rank: number) => (2 ** grade - 1) / Math.log2(rank + 2)
  const got = ranked.slice(0, 10).map((id, rank) => gain(relevant.get(id) ?? 0, rank))
  const best = [...relevant.values()].sort((a, b) => b - a).slice(0, 10)
  return sum(got) / sum(best.map(gain))
}

/** The share of pairs in which the positive scores higher than the negative. Ties count half. */
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
