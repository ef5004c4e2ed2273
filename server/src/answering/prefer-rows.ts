import type { Quotable } from './choose-sentences.ts'

// Coverages that differ by less say nothing of which row is meant.
export const SAME_COVERAGE = 0.05
const TABLE_ROW = /^[^\n|]{1,200} \| /
// With what it is about before a colon.
const LABELLED = /^[^\n.!?:]{1,60}: \S/

/**
 * Of rows beside each other, the one that has more of the question is meant: to the question what shipping to France costs, a
 * reader of prose is as happy with the price for Germany. It gets what the reader gave all of them.
 */
export function preferAskedRows(
  sentences: Quotable[],
  given: number[],
  coverage: number[],
): number[] {
  const shares = [...given]
  for (let from = 0; from < sentences.length; ) {
    let to = from
    while (to < sentences.length && isRow(sentences[to]!) && !isApart(sentences, from, to)) to += 1
    const rows = Array.from({ length: to - from }, (_, i) => from + i)
    const most = Math.max(...rows.map((i) => coverage[i]!))
    const isMeant = (i: number) => coverage[i]! > most - SAME_COVERAGE
    const meant = rows.filter(isMeant)
    if (meant.length < rows.length) {
      const whole = rows.reduce((sum, i) => sum + shares[i]!, 0)
      const kept = meant.reduce((sum, i) => sum + shares[i]!, 0)
      for (const i of rows) {
        shares[i] = isMeant(i) ? (kept > 0 ? (shares[i]! * whole) / kept : whole / meant.length) : 0
      }
    }
    from = Math.max(to, from + 1)
  }
  return shares
}

/** A row of a table, or a line like one. */
export function isRow(quotable: Quotable): boolean {
  return isTableRow(quotable) || LABELLED.test(textOf(quotable))
}

export function isTableRow(quotable: Quotable): boolean {
  return TABLE_ROW.test(textOf(quotable))
}

function textOf({ passage, start, end }: Quotable): string {
  return passage.text.slice(start, end)
}

/** With something between it and the row before it. */
function isApart(sentences: Quotable[], from: number, at: number): boolean {
  if (at === from) return false
  const { index, passage } = sentences[at]!
  const before = sentences[at - 1]!
  const between = passage.text.slice(before.end, sentences[at]!.start)
  return index !== before.index + 1 || !/^[^\S\n]*\n[^\S\n]*$/.test(between)
}
