import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { codeBlocksOf } from '@docent/text/code-blocks.ts'
import { type Sentence, sentencesOfParts } from '@docent/text/sentences.ts'
import type { FoundPassage } from '../found-passage.ts'
import { asksHow } from './asks-how.ts'
import { asksToExplain } from './asks-to-explain.ts'
import type { Candidate } from './choose-sentences.ts'
import { ITEM } from './prefer-rows.ts'

const STEP = /^\s*\d{1,3}[.)]\s/
export const ROW = /^\s*[^\s|][^|]*\|/
// Of a list, and from a sentence to the steps or the program that it speaks of; more is left out.
const MAX_LENGTH = 600
// A longer item speaks for itself.
const MAX_ITEM = 80
// A price or a time.
const NOTHING_BUT_A_NUMBER = /^[^\p{L}\s]{0,3}\d\S*(?:\s\S+){0,3}$/u

const CASE =
  /^(?:in|on|at|during|for|from|until|after|before|over|with|without|if|when|unless|except)\s[^,.;:]{1,40}/i
// Up to the next empty line.
const LINES_BELOW = /^(?:[ \t]*\n(?!#)[^\n]*\S[^\n]*)+/
const NOTHING_CUT = { before: false, after: false }

/**
 * “You need:” says nothing by itself: a sentence that leads to a list is quoted with the list. And whoever asks how is
 * answered by all steps, not by the likeliest of them, and by the program that follows what answers.
 */
export function completeQuotes(question: string, chosen: Candidate[]): Candidate[] {
  const quotes = complete(question, chosen)
  const [best] = chosen
  const cases = best ? caseAfter(question, best) : []
  return withoutDoubles([...quotes.flatMap((one) => [...headingOf(one), one]), ...cases])
}

/** “Open from 10 to 18. In winter it closes at 16.”: whoever asks for the winter has to be told both. */
function caseAfter(question: string, best: Candidate): Candidate[] {
  const { passage, index } = best
  const sentences = sentencesOfParts(passage.text, passage.partStarts)
  const [own, next] = [sentences[index], sentences[index + 1]]
  if (!own || !next || next.isHeading || ITEM.test(passage.text.slice(own.start, own.end)))
    return []
  if (/\n/.test(passage.text.slice(own.end, next.start))) return []
  const opening = CASE.exec(passage.text.slice(next.start, next.end))?.[0]
  if (!opening) return []
  const said = new Set(analyzeText(passage.text.slice(own.start, own.end)))
  const asked = new Set(analyzeQuestion(question).filter((term) => !said.has(term)))
  if (!analyzeText(opening).some((term) => asked.has(term))) return []
  return [{ ...best, ...next, index: index + 1, value: 0, spans: [], cut: NOTHING_CUT }]
}

function complete(question: string, chosen: Candidate[]): Candidate[] {
  if (!asksToExplain(question)) return withoutDoubles(chosen.map(completeLead))
  const withSteps = (one: Candidate) => completeLead(asksHow(question) ? allSteps(one) : one)
  const completed = chosen.map((one) => wholeList(withSteps(one)))
  if (!asksHow(question)) return withoutDoubles(completed)
  const [best, ...others] = completed
  const followed = best && !hasInstructions(best) ? followToCode(best) : undefined
  return followed ? [followed] : withoutDoubles(best ? [best, ...others] : [])
}

/** “The desktop app” says nothing without the “Removed” above it: what is no sentence is quoted with its heading. */
function headingOf(candidate: Candidate): Candidate[] {
  const { passage, index, start, end, cut } = candidate
  const { text } = passage
  const line = text.slice(start, end)
  if (cut || line.length > MAX_ITEM || line.includes('\n') || ROW.test(line)) return []
  if (!ITEM.test(line) && !NOTHING_BUT_A_NUMBER.test(line)) return []
  if (/[.!?:;]$|[:\t]/.test(line)) return []
  const sentences = sentencesOfParts(text, passage.partStarts)
  const at = sentences.slice(0, index).findLastIndex(({ isHeading }) => isHeading)
  const heading = sentences[at]
  if (!heading) return []
  const marks = /^#*\s*/.exec(text.slice(heading.start, heading.end))![0].length
  return [
    {
      ...candidate,
      index: at,
      start: heading.start + marks,
      end: heading.end,
      value: 0,
      spans: [],
    },
  ]
}

/** What stands in another one. */
function withoutDoubles(quotes: Candidate[]): Candidate[] {
  return quotes.filter(
    (one, i) =>
      !quotes.some(
        (other, k) =>
          i !== k &&
          one.rank === other.rank &&
          one.start >= other.start &&
          one.end <= other.end &&
          (k < i || one.end - one.start < other.end - other.start),
      ),
  )
}

export function hasInstructions({ passage, start, end }: Candidate): boolean {
  const quote = passage.text.slice(start, end)
  return codeBlocksOf(quote).length > 0 || quote.split('\n').some((line) => STEP.test(line))
}

function followToCode(candidate: Candidate): Candidate | undefined {
  if (candidate.cut) return undefined
  const { passage, index, start } = candidate
  const sentences = sentencesOfParts(passage.text, passage.partStarts)
  const end = endOfInstructions(passage.text, sentences, index)
  return end === undefined ? undefined : { ...candidate, start, end }
}

/** Where the first steps or program end from this sentence on, if they come soon and under the same heading. */
export function endOfInstructions(
  text: string,
  sentences: readonly Sentence[],
  from: number,
): number | undefined {
  const begin = sentences[from]?.start ?? 0
  for (const { start, end, isHeading } of sentences.slice(from)) {
    if (isHeading || start - begin > MAX_LENGTH) return undefined
    if (STEP.test(text.slice(start, end))) return takeList(text, start).end
    if (codeBlocksOf(text.slice(start, end)).length > 0) return end
  }
  return undefined
}

function allSteps(candidate: Candidate): Candidate {
  const { passage, cut } = candidate
  const from = passage.text.lastIndexOf('\n', candidate.start - 1) + 1
  if (cut || !STEP.test(passage.text.slice(from, candidate.start + 5))) return candidate
  const first = firstStep(passage.text, from)
  const { end, isCut } = takeList(passage.text, first)
  const start = startOfLead(passage, first)
  return { ...candidate, start, end, cut: { before: false, after: isCut } }
}

/** An item with all others of its list and what leads to them, if there is room for all. */
function wholeList(candidate: Candidate): Candidate {
  const { passage, cut } = candidate
  const from = passage.text.lastIndexOf('\n', candidate.start - 1) + 1
  if (cut || !ITEM.test(passage.text.slice(from, candidate.end))) return candidate
  const first = firstItem(passage.text, from)
  const { end, isCut } = takeList(passage.text, first)
  return isCut ? candidate : { ...candidate, start: startOfLead(passage, first), end }
}

function firstItem(text: string, item: number): number {
  let first = item
  for (let at = item; at > 0; ) {
    const start = text.lastIndexOf('\n', at - 2) + 1
    const line = text.slice(start, at)
    if (ITEM.test(line)) first = start
    else if (/^\S/.test(line)) break
    at = start
  }
  return first
}

/** Where the list begins that a step belongs to. What is not set in may go on with the line above it, but not after an empty line. */
function firstStep(text: string, step: number): number {
  let first = step
  let isRest = false
  for (let at = step; at > 0; ) {
    const start = text.lastIndexOf('\n', at - 2) + 1
    const line = text.slice(start, at).trimEnd()
    if (STEP.test(line)) {
      // Otherwise it is the end of another list.
      if (Number.parseInt(line, 10) >= Number.parseInt(text.slice(first), 10)) return first
      first = start
      isRest = false
    } else if (line === '' && isRest) return first
    else if (line !== '' && !/^\s/.test(line)) isRest = true
    at = start
  }
  return first
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
  const { text } = passage
  const list = takeList(text, end)
  if (list.end > end)
    return { ...candidate, end: list.end, cut: { before: cut?.before ?? false, after: list.isCut } }
  // Lines without signs, as of opening hours.
  const [lines = ''] = LINES_BELOW.exec(text.slice(end)) ?? []
  return lines.length > 0 && lines.length <= MAX_LENGTH
    ? { ...candidate, end: end + lines.trimEnd().length }
    : candidate
}

/** Where a list ends whose lines begin there, and whether it goes on. */
function takeList(text: string, from: number): { end: number; isCut: boolean } {
  let at = from
  let end = from
  for (const line of text.slice(from).split('\n')) {
    const isItem = ITEM.test(line) || ROW.test(line)
    const goesOn = end > from && (/^\s/.test(line) || end === at - 1)
    if (line.trim() !== '' && !isItem && !goesOn) break
    if (at + line.length - from > MAX_LENGTH) return { end, isCut: true }
    if (line.trim() !== '') end = at + line.length
    at += line.length + 1
  }
  return { end, isCut: false }
}
