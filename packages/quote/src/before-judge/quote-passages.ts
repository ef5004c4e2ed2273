import { endsWithCode } from '@docent/text/code-blocks.ts'
import { type MarkedPassage, markPassages } from '../cite-sources.ts'
import type { FoundPassage } from '../found-passage.ts'
import type { Reading } from '../reading.ts'
import { asksToExplain, isKeywords } from './asks-to-explain.ts'
import { chooseQuotes, MAX_LENGTH, weigh } from './choose-quotes.ts'
import { type Candidate, sentencesByReading, sentencesByWords } from './choose-sentences.ts'
import { completeQuotes } from './complete-quotes.ts'
import { GAP, shorten } from './cut-sentence.ts'
import { findAskedSection, quoteSection } from './find-asked-section.ts'
import { findInstructions } from './find-instructions.ts'
import { judgePair, judgePassages } from './judge-answer.ts'
import { isRow, isTableRow, SAME_COVERAGE } from './prefer-rows.ts'
import type { AskedSection } from './sections.ts'
import { sectionsOf } from './sections.ts'
import { isSameWording, replyToSmallTalk, sayNotFound, sayUnsure } from './small-talk.ts'

export interface Quotes {
  text: string
  passages: MarkedPassage[]
  /** That the sources hold the answer, from 0 to 1. */
  confidence: number
  /** False when it only says that the sources do not hold the answer. */
  answered: boolean
}

export interface ToQuote {
  question: string
  found: FoundPassage[]
  /** Of the passages that are no pairs, in their order. */
  readings: Reading[] | undefined
  /** What stands under the heading that comes nearest to asking the same. */
  asked?: AskedSection | undefined
  showCitations: boolean
  /** What was cited before, in the same answer. */
  cited?: readonly FoundPassage[]
}

/** How what is quoted is marked. */
type Citing = Pick<ToQuote, 'showCitations' | 'cited'>

const SURE_OF_PAIR = 0.4
// A pair that asks the same says what its owner wants said, however well other sources answer; any other has to be surer.
const SAME_QUESTION = 0.72
const SURE_OF_PASSAGES = 0.3
// Below this, what is nearest says nothing to the question.
const NEAR = 0.08
// A heading or a pair that may ask the same is worth a look: of 34 such pairs, 23 were what was asked for.
const NEAR_QUESTION = 0.25
// With so much of the question, what comes nearest may well be it.
const LIKELY_COVERAGE = 0.25
// By so much more of the question a row has to have.
const ROW_LEAD = 0.25
const MAX_PASSAGES = 5
const MAX_NEAREST = 3

/** An answer in the sources' own words: a pair's answer whole, otherwise the fewest sentences that answer. */
export function quotePassages({ question, found, readings, asked, ...citing }: ToQuote): Quotes {
  const { showCitations } = citing
  const pair = found.find(({ type }) => type === 'qa')
  // A pair or a heading may have these very words; any other only comes near, with what was asked before.
  const isAsked = [pair?.lead, asked?.title].some((one) => one && isSameWording(one, question))
  const reply = isAsked ? undefined : replyToSmallTalk(question, found[0]?.text)
  if (reply !== undefined) return { text: reply, passages: [], confidence: 1, answered: true }
  const pairConfidence = pair ? judgePair(question, pair) : 0
  const texts = found.filter(({ type }) => type !== 'qa')
  const confidence = judgePassages(question, texts, readings)
  const needed = Math.max(SURE_OF_PAIR, Math.min(confidence, SAME_QUESTION))
  const neededOfPair = pair && speaksOnly(pair) ? Math.max(SURE_OF_PAIR, confidence) : needed
  if (pair && pairConfidence >= neededOfPair) {
    return { ...quotePair(pair, citing), confidence: pairConfidence, answered: true }
  }
  if (asked && asked.confidence >= needed) {
    const quotes = completeQuotes(question, [quoteSection(asked)])
    return {
      ...compose(quotes, citing),
      confidence: Math.max(confidence, asked.confidence),
      answered: true,
    }
  }
  if (asked && confidence < SURE_OF_PASSAGES && asked.confidence >= NEAR_QUESTION) {
    const nearest = sayNearest(question, `${asked.title} `, quoteSection(asked), citing)
    return { ...nearest, confidence: Math.max(confidence, asked.confidence), answered: false }
  }
  if (pair && confidence < SURE_OF_PASSAGES && pairConfidence >= NEAR_QUESTION) {
    const { text, passages } = quotePair(pair, citing)
    const said = sayUnsure(question, `${pair.lead} ${text}`, pair.text)
    return { text: said, passages, confidence: pairConfidence, answered: false }
  }
  const considered = confidence < NEAR ? [] : texts.slice(0, MAX_PASSAGES)
  const candidates = readings
    ? sentencesByReading(considered, readings.slice(0, considered.length))
    : sentencesByWords(question, considered)
  if (candidates.length === 0) {
    const nearest = showCitations ? nearestTitles(found) : []
    const text = sayNotFound(question, nearest, found[0]?.text)
    const likely = Math.max(confidence, pairConfidence)
    return { text, passages: [], confidence: likely, answered: false }
  }
  const weighed = preferRow(weigh(question, candidates))
  if (confidence < SURE_OF_PASSAGES) {
    const best = nearestOf(weighed)
    // A reader of prose makes little of rows. One with that much of the question was the right one two times of three.
    if (isRow(best) && isLikely(best) && standsOut(best, weighed)) {
      const quotes = completeQuotes(question, [shorten(best, MAX_LENGTH)])
      return { ...compose(quotes, citing), confidence: SURE_OF_PASSAGES, answered: true }
    }
    // Whoever shows no citations does not name his sources either.
    const title = showCitations ? `${best.passage.title}: ` : ''
    const nearest = sayNearest(question, title, best, citing)
    return { ...nearest, confidence, answered: false }
  }
  const wantsSection = asksToExplain(question) || isKeywords(question)
  const sections = wantsSection ? considered.flatMap(sectionsOf) : []
  const titled =
    findInstructions(question, sections, weighed) ?? findAskedSection(question, sections)
  const chosen = titled ? [titled] : chooseQuotes(question, weighed, confidence)
  return { ...compose(completeQuotes(question, chosen), citing), confidence, answered: true }
}

/** Its answer, word for word. */
export function quotePair(pair: FoundPassage, citing: Citing): Pick<Quotes, 'text' | 'passages'> {
  const [passage] = mark([pair], citing) as [MarkedPassage]
  const text = citing.showCitations ? `${pair.text} [${passage.marker}]` : pair.text
  return { text, passages: [passage] }
}

/** A pair that was found by its answer, for its question asks something else. It is a text like others then. */
function speaksOnly({ evidence, sentenceCoverage }: FoundPassage): boolean {
  return Math.max(...sentenceCoverage) > evidence.coverage
}

/** A row with far more of the question than what the reader likes best is what was asked for. */
function preferRow(weighed: Candidate[]): Candidate[] {
  const enough = coverageOf(weighed[0]!) + ROW_LEAD
  const rows = weighed.filter((one) => isTableRow(one) && coverageOf(one) >= enough)
  const row = rows.find((one) => standsOut(one, weighed))
  return row ? [{ ...row, value: 1 }] : weighed
}

/** Words that other rows have as much of are those of their headers. */
function standsOut(row: Candidate, weighed: Candidate[]): boolean {
  const least = coverageOf(row) - SAME_COVERAGE
  return weighed.every((other) => other === row || !isRow(other) || coverageOf(other) < least)
}

/** Not one that only leads to something, or hardly says anything. */
function nearestOf(weighed: Candidate[]): Candidate {
  const says = ({ passage, start, end }: Candidate) => {
    const text = passage.text.slice(start, end)
    return !/[:：]$/.test(text) && (/\p{L}{2}/u.test(text) || /\p{Script=Han}/u.test(text))
  }
  return weighed.find(says) ?? weighed[0]!
}

function isLikely(candidate: Candidate): boolean {
  return coverageOf(candidate) >= LIKELY_COVERAGE
}

function coverageOf({ passage, index }: Candidate): number {
  return passage.sentenceCoverage[index] ?? 0
}

/** Whoever asks sees for himself whether what comes nearest answers him. */
function sayNearest(
  question: string,
  lead: string,
  best: Candidate,
  citing: Citing,
): Pick<Quotes, 'text' | 'passages'> {
  const { text, passages } = compose([shorten(best, MAX_LENGTH)], citing)
  const nearest = lead + text
  const { text: around } = best.passage
  const said = isLikely(best)
    ? sayUnsure(question, nearest, around)
    : sayNotFound(question, [nearest], around)
  return { text: said, passages }
}

/** Sentence by sentence as they stand, passage by passage, the best passage first. */
function compose(chosen: Candidate[], citing: Citing): Pick<Quotes, 'text' | 'passages'> {
  const byRank = Map.groupBy(chosen, ({ rank }) => rank)
  const groups = [...byRank.values()].map((group) => group.toSorted((a, b) => a.start - b.start))
  const passages = mark(groups.map(quotedPart), citing)
  const quotes = groups.map((group, i) => {
    const { text } = group[0]!.passage
    const quote = joinQuotes(text, group)
    return citing.showCitations ? `${quote}${behind(quote)}[${passages[i]!.marker}]` : quote
  })
  return { text: quotes.join('\n\n'), passages }
}

function mark(passages: FoundPassage[], { cited = [] }: Citing): MarkedPassage[] {
  return markPassages([...cited, ...passages]).slice(cited.length)
}

/** Code ends with a line of its own. */
function behind(quote: string): string {
  return endsWithCode(quote) ? '\n\n' : ' '
}

/** What follows each other stays as it is; what is left out is shown. */
function joinQuotes(text: string, group: Candidate[]): string {
  return group
    .map(({ start, end, cut }, i) => {
      const before = group[i - 1]
      const between = before ? text.slice(before.end, start) : ''
      const isGap = cut?.before || before?.cut?.after || between.trim() !== ''
      const isByCode = before !== undefined && endsWithCode(text.slice(before.start, before.end))
      const gap = isByCode ? `\n\n${GAP}\n\n` : `${before ? ' ' : ''}${GAP} `
      const lead = isGap ? gap : between
      const rest = i === group.length - 1 && cut?.after ? ` ${GAP}` : ''
      return lead + text.slice(start, end) + rest
    })
    .join('')
}

/** A receipt points at the sentences that are quoted, not at all that stands round them. */
function quotedPart(group: Candidate[]): FoundPassage {
  const { passage } = group[0]!
  const start = group[0]!.start
  const end = Math.max(...group.map((one) => one.end))
  return {
    ...passage,
    starts_at: passage.starts_at + start,
    ends_at: passage.starts_at + end,
    quote: passage.text.slice(start, end),
  }
}

function nearestTitles(found: FoundPassage[]): string[] {
  return [...new Set(found.map(({ title }) => title))].slice(0, MAX_NEAREST)
}
