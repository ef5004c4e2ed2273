import type { FoundPassage } from '../search/find-passages.ts'
import { sentencesOfParts } from '../search/sentences.ts'
import type { Candidate } from './choose-sentences.ts'

const ASKS_HOW =
  /\bhow (?:do|does|can|could|should|would|to|is|are)\b|\b(?:steps|procedure|instructions)\b/i
const ITEM = /^\s*(?:[-*+•–]|\d{1,3}[.)])\s/
const STEP = /^\s*\d{1,3}[.)]\s/
const ROW = /^\s*[^\s|][^|]*\|/
const FENCE = /^\s*(?:`{3}|~{3})/
// Of a list; more is left out.
const MAX_LENGTH = 600
// Of the question's words, by their weight: a heading that has them asks the same.
const SAME_QUESTION = 0.9

/**
 * Whoever asks how is answered by all steps, not by the likeliest of them; and “You need:” says nothing by itself: a
 * sentence that leads to a list is quoted with the list.
 */
export function completeQuotes(question: string, chosen: Candidate[]): Candidate[] {
  const asksHow = ASKS_HOW.test(question)
  const complete = chosen.map((one) => completeLead(asksHow ? allSteps(one) : one))
  const isIn = (one: Candidate, other: Candidate, i: number, k: number) =>
    i !== k &&
    one.rank === other.rank &&
    one.start >= other.start &&
    one.end <= other.end &&
    (k < i || one.end - one.start < other.end - other.start)
  return complete.filter((one, i) => !complete.some((other, k) => isIn(one, other, i, k)))
}

/** To whoever asks how, what stands under a heading that asks the same, if that is a list or a program. */
export function instructionsFor(
  question: string,
  found: readonly FoundPassage[],
): Candidate | undefined {
  if (!ASKS_HOW.test(question)) return undefined
  for (const [rank, passage] of found.entries()) {
    const sentences = sentencesOfParts(passage.text, passage.partStarts)
    const heading = sentences.findIndex(
      ({ isHeading }, i) => isHeading && (passage.sentenceCoverage[i] ?? 0) >= SAME_QUESTION,
    )
    const first = heading === -1 ? undefined : sentences[heading + 1]
    const text = passage.text.slice(first?.start, first?.end)
    if (!first || first.isHeading || !(STEP.test(text) || FENCE.test(text))) continue
    return {
      passage,
      rank,
      index: heading + 1,
      start: first.start,
      end: first.end,
      value: 1,
      spans: [],
    }
  }
  return undefined
}

function allSteps(candidate: Candidate): Candidate {
  const { passage, cut } = candidate
  const from = passage.text.lastIndexOf('\n', candidate.start - 1) + 1
  if (cut || !STEP.test(passage.text.slice(from, candidate.start + 5))) return candidate
  let first = from
  while (first > 0) {
    const before = passage.text.lastIndexOf('\n', first - 2) + 1
    if (!STEP.test(passage.text.slice(before, first))) break
    first = before
  }
  const { end, isCut } = takeList(passage.text, first)
  const start = startOfLead(passage, first)
  return { ...candidate, start, end, cut: { before: false, after: isCut } }
}

/** Of the sentence that leads to a list, or of the list. */
function startOfLead({ text, partStarts }: FoundPassage, list: number): number {
  const end = text.slice(0, list).trimEnd().length
  if (!/[:：]/.test(text[end - 1] ?? '')) return list
  const lead = sentencesOfParts(text, partStarts).find((sentence) => sentence.end === end)
  return lead && !lead.isHeading ? lead.start : list
}

function completeLead(candidate: Candidate): Candidate {
  const { passage, start, end, cut } = candidate
  if (cut?.after || !/[:：]$/.test(passage.text.slice(start, end))) return candidate
  const list = takeList(passage.text, end)
  return { ...candidate, end: list.end, cut: { before: cut?.before ?? false, after: list.isCut } }
}

/** Where a list ends whose lines begin there, and whether it goes on. */
function takeList(text: string, from: number): { end: number; isCut: boolean } {
  let at = from
  let end = from
  for (const line of text.slice(from).split('\n')) {
    const isItem = ITEM.test(line) || ROW.test(line)
    const goesOn = end > from && /^\s/.test(line)
    if (line.trim() !== '' && !isItem && !goesOn) break
    if (at + line.length - from > MAX_LENGTH) return { end, isCut: true }
    if (line.trim() !== '') end = at + line.length
    at += line.length + 1
  }
  return { end, isCut: false }
}
