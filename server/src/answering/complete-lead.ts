import type { Candidate } from './choose-sentences.ts'

const ITEM = /^\s*(?:[-*+•–]|\d{1,3}[.)])\s/
const ROW = /^\s*[^\s|][^|]*\|/
// Of what a sentence leads to; more is left out.
const MAX_LENGTH = 600

/** “You need:” says nothing by itself: a sentence that leads to a list is quoted with the list. */
export function completeLeads(chosen: Candidate[]): Candidate[] {
  const complete = chosen.map(completeLead)
  const isIn = (one: Candidate, other: Candidate) =>
    one !== other && one.rank === other.rank && one.start > other.start && one.end <= other.end
  return complete.filter((one) => !complete.some((other) => isIn(one, other)))
}

function completeLead(candidate: Candidate): Candidate {
  const { passage, start, end, cut } = candidate
  if (cut?.after || !/[:：]$/.test(passage.text.slice(start, end))) return candidate
  let at = end
  let listEnd = end
  for (const line of passage.text.slice(end).split('\n')) {
    const isItem = ITEM.test(line) || ROW.test(line)
    const goesOn = listEnd > end && /^\s/.test(line)
    if (line.trim() !== '' && !isItem && !goesOn) break
    if (at + line.length - end > MAX_LENGTH)
      return { ...candidate, end: listEnd, cut: { before: cut?.before ?? false, after: true } }
    if (line.trim() !== '') listEnd = at + line.length
    at += line.length + 1
  }
  return { ...candidate, end: listEnd }
}
