import type { Quotable } from './quotable.ts'

// Coverages that differ by less say nothing of which row is meant.
export const SAME_COVERAGE = 0.05
const TABLE_ROW = /^[^\n|]{1,200} \| /
/** An item of a list. */
export const ITEM = /^\s*(?:[-*+•–]|\d{1,3}[.)])\s/
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
    giveToAsked(rows, shares, coverage)
    from = Math.max(to, from + 1)
  }
  return shares
}

/**
 * Likewise of items of lists that have as much of the question as each other: how many users the Agency plan has stands under its
 * heading, and of the Studio plan the same is said under another.
 */
export function preferAskedItems(
  sentences: Quotable[],
  given: number[],
  coverage: number[],
  headed: number[],
): number[] {
  const shares = [...given]
  const items = sentences.flatMap((one, i) =>
    ITEM.test(textOf(one)) && coverage[i]! > 0 ? [i] : [],
  )
  const most = Math.max(...items.map((i) => coverage[i]!))
  const alike = items.filter((i) => coverage[i]! > most - SAME_COVERAGE)
  giveToAsked(alike, shares, headed)
  return shares
}

/** Gives those that have more of the question than others what all of them have. */
function giveToAsked(places: number[], shares: number[], coverage: number[]): void {
  const most = Math.max(...places.map((i) => coverage[i]!))
  const isMeant = (i: number) => coverage[i]! > most - SAME_COVERAGE
  const meant = places.filter(isMeant)
  if (meant.length === places.length) return
  const whole = places.reduce((sum, i) => sum + shares[i]!, 0)
  const kept = meant.reduce((sum, i) => sum + shares[i]!, 0)
  for (const i of places) {
    shares[i] = isMeant(i) ? (kept > 0 ? (shares[i]! * whole) / kept : whole / meant.length) : 0
  }
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
