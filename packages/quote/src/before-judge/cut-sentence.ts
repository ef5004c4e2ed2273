import { codeBlocksOf } from '@docent/text/code-blocks.ts'
import type { Span } from '../reading.ts'
import type { Candidate } from './choose-sentences.ts'
import {
  type Asked,
  partsWhatGoverns,
  readAsked,
  turnsWhatFollows,
  turnsWhatPrecedes,
} from './turns-meaning.ts'

// A name, a number or a place can stand alone, and so can what was the case once: nobody acts on it.
const ASKS_FOR_THING =
  /\b(?:(?:how|why) (?:did|was|were|had)|who|whom|whose|when|where|which|what|how (?:many|much|long|old|far|tall|large|big|often|high|deep|fast|wide|heavy|late|early|soon|quickly|close))\b/i

/** Where a piece of a sentence may begin or end, and how well it reads that it does so there. */
interface Cut {
  at: number
  ease: number
}

/** Stands for what is left out. */
export const GAP = '…'

// A table, a link, code or an item is laid out as a whole.
const LAID_OUT = /[|`<>]|\]\(|https?:|^\s*(?:[•*+–-]|\d+[.)])\s/
// One, two and three: who leaves out some of them says that there are no more. What goes on with a verb is no list.
const LIST =
  /(?<![^\s,;:()])(?:[^\s,;:()]+ ){0,2}[^\s,;:()]+(?:, (?!(?:who|whom|whose|which|that|where|when|while|as|including|such|[a-z]{3,}ed (?:to|by|from|in|on|at|with|into|an?|the|his|her|its|their|that))\s)(?:[^\s,;:()]+ ){0,4}[^\s,;:()]+){1,20},? (?:and|or) (?!(?:is|are|was|were|has|have|had|did|does|can|could|will|would|then)\s)(?:[^\s,;:()]+ ){0,2}[^\s,;:()]+/g
// A piece that ended with one of these would hang in the air.
const HANGING =
  /\b(?:a|an|the|of|in|on|at|to|by|for|from|with|without|and|or|but|as|is|are|was|were|be|been|has|have|had|can|could|will|would|should|must|that|which|who|whose|its|his|her|their|our|your|this|these|both|either|between|into|than|about|over|under|when|where|while|because|since|if|after|before|until|although|though|so|such|not|no|only|more|most|very|also|other|some|any|each|rather|instead|especially|particularly|including)$/i
// Words that begin a part of a sentence.
const PART =
  /^(?:and|or|who|whom|whose|which|that|where|when|while|because|since|so|as|after|before|by|in|on|at|from|with|for|during|through|to|between|under|over|into|about)\s/i
// Between words, no cut is this near to an answer, least of all to an amount: “up to 30 days” and “9 euros a month” are
// not 30 days and 9 euros.
const NEAR = 10
const NEAR_AMOUNT = 20
const AMOUNT =
  /\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|dozens?|hundreds?|thousands?|millions?|billions?|half|third|quarter|percent|once|twice|free|euros?|dollars?|pounds?)\b/i
const MARK = /[,;:]/
// Split is a clause that only leads to the one that answers.
const EASE = { sentence: 0, clause: -0.2, part: -0.7, word: -1.6, split: -0.3 }
const WEIGHTS = { held: 3, words: 0.8, length: 1, open: -5 }

/**
 * The piece of a sentence round what answers, at most so long, that reads best; the sentence itself where it is short.
 * Nothing where a piece might say something else than the whole.
 */
export function pieceOf(
  candidate: Candidate,
  question: string,
  longest: number,
): Candidate | undefined {
  const { start, end, passage, spans } = candidate
  if (end - start <= longest) return candidate
  const { text } = passage
  const [answer] = spans
  if (!ASKS_FOR_THING.test(question)) return undefined
  if (!answer || answer.end > end || LAID_OUT.test(text.slice(start, end))) return undefined
  const room = longest - 2 * ` ${GAP}`.length
  const asked = readAsked(question, text.slice(start, end))
  const askedWords = new Set(wordsOf(question).map(({ word }) => word))
  const shared = wordsOf(text.slice(start, end)).filter(({ word }) => askedWords.has(word))
  const list = listRound(text.slice(start, end), answer.start - start, answer.end - start)
  const leavesList = ({ at }: Cut) =>
    list === undefined || at <= start + list.start || at >= start + list.end
  const ends = endsOf(text, answer, end, room, asked).filter(leavesList)
  let best: { from: number; to: number; value: number } | undefined
  for (const from of beginningsOf(text, start, answer, room, asked).filter(leavesList)) {
    for (const to of ends) {
      const length = to.at - from.at
      if (length > room) continue
      const held = spans.filter((span) => span.start >= from.at && span.end <= to.at)
      const words = shared.filter(({ at }) => start + at >= from.at && start + at < to.at)
      const value =
        WEIGHTS.held * held.reduce((sum, { share }) => sum + share, 0) +
        (WEIGHTS.words * new Set(words.map(({ word }) => word)).size) /
          Math.max(1, askedWords.size) +
        (WEIGHTS.length * length) / room +
        (isOpen(text.slice(from.at, to.at)) ? WEIGHTS.open : 0) +
        from.ease +
        to.ease
      if (!best || value > best.value) best = { from: from.at, to: to.at, value }
    }
  }
  return best && cutTo(candidate, best.from, best.to)
}

/** The words of a text that tell something, by their beginnings, and where they stand. */
function wordsOf(text: string): { word: string; at: number }[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)].map(({ 0: word, index }) => ({
    word: word.slice(0, 4),
    at: index,
  }))
}

function listRound(sentence: string, start: number, end: number) {
  const lists = [...sentence.matchAll(LIST)].map(({ 0: list, index }) => ({
    start: index,
    end: index + list.length,
  }))
  return lists.find((list) => start < list.end && end > list.start)
}

/** A bracket or a quotation mark that is only opened, or only closed. */
function isOpen(piece: string): boolean {
  const count = (pattern: RegExp) => piece.match(pattern)?.length ?? 0
  return count(/[([]/g) !== count(/[)\]]/g) || count(/"/g) % 2 === 1 || count(/“/g) !== count(/”/g)
}

/** At words before the answer where nothing is left out that turns its meaning. */
function beginningsOf(
  text: string,
  start: number,
  answer: Span,
  room: number,
  asked: Asked,
): Cut[] {
  const near = nearness(text, answer)
  const cuts: Cut[] = [{ at: start, ease: EASE.sentence }]
  for (const { index } of text.slice(start, answer.start + 1).matchAll(/(?<=\s)\S/g)) {
    const at = start + index
    const isSentence =
      /\p{L}{4}[.!?\]]\s+$/u.test(text.slice(Math.max(0, at - 8), at)) && /\p{Lu}/u.test(text[at]!)
    const isClause =
      isSentence || (/[,;:–—]\s+$/.test(text.slice(at - 3, at)) && !/\d/.test(text[at]!))
    if (answer.end - at > room || (!isClause && answer.start - at < near)) continue
    if (
      isInName(text, at) ||
      turnsWhatFollows(text.slice(start, at), text.slice(at, answer.end), asked)
    )
      continue
    const isPart = PART.test(text.slice(at, at + 10))
    const ease = isClause ? EASE.clause : isPart ? EASE.part : EASE.word
    const isSplit = !isClause && /[,;.]\s/.test(text.slice(at, answer.start))
    cuts.push({ at, ease: ease + (isSplit ? EASE.split : 0) })
  }
  return cuts
}

/** After words behind the answer where nothing is left out that turns its meaning, nor is parted from its own. */
function endsOf(text: string, answer: Span, end: number, room: number, asked: Asked): Cut[] {
  const near = nearness(text, answer)
  const cuts: Cut[] = [{ at: end, ease: EASE.sentence }]
  for (const { index } of text.slice(answer.end - 1, end).matchAll(/(?<=\S)\s+/g)) {
    const blank = answer.end - 1 + index
    const next = text.slice(blank, end).trimStart()
    const isMarked = blank > answer.end && MARK.test(text[blank - 1]!)
    const at = isMarked ? text.slice(0, blank - 1).trimEnd().length : blank
    if (at - answer.start > room) break
    const isClause = (isMarked && !/^\d/.test(next)) || /^[–—(]/.test(next)
    const beside = text.slice(answer.end, at)
    if (!isClause && (beside.length < near || partsWhatGoverns(beside, next, asked))) continue
    if (HANGING.test(text.slice(Math.max(0, at - 14), at)) || isInName(text, at)) continue
    if (turnsWhatPrecedes(text.slice(at, end), asked)) continue
    cuts.push({ at, ease: isClause ? EASE.clause : PART.test(next) ? EASE.part : EASE.word })
  }
  return cuts
}

function nearness(text: string, { start, end }: Span): number {
  return AMOUNT.test(text.slice(start, end)) ? NEAR_AMOUNT : NEAR
}

// “Alexander | I”, “October | 2016”, “Captain America | : Civil War” and “World Trade Organization | (WTO)”.
const NAME_ENDS = /\p{Lu}[\p{L}.'’-]{0,29}\s{0,3}$/u
const NAME_GOES_ON = /^(?::?\s*[\p{Lu}\d]|\s*\(\p{Lu}[^\s)]*\))/u

function isInName(text: string, at: number): boolean {
  return (
    NAME_ENDS.test(text.slice(Math.max(0, at - 30), at)) &&
    NAME_GOES_ON.test(text.slice(at, at + 20))
  )
}

/** The part of a long sentence round what answers, from one comma or blank to another, whatever it leaves out. */
export function shorten(candidate: Candidate, longest: number): Candidate {
  const { start, end, passage } = candidate
  const text = passage.text
  // Half of a program is none.
  if (end - start <= longest || codeBlocksOf(text.slice(start, end)).length > 0) return candidate
  const answer = candidate.spans[0] ?? { start, end: start }
  const spare = Math.max(0, longest - (answer.end - answer.start)) / 2
  let from = Math.max(start, Math.floor(answer.start - spare))
  let to = Math.min(end, from + longest)
  from = Math.max(start, to - longest)
  if (isInCharacter(text, from)) from += 1
  if (isInCharacter(text, to)) to -= 1
  const head = from === start ? from : from + blankAfter(text.slice(from, answer.start))
  const tail = to === end ? to : head + blankBefore(text.slice(head, to))
  return cutTo(candidate, head, Math.max(tail, Math.min(answer.end, end)))
}

/** Between the halves of a surrogate pair. */
function isInCharacter(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff
}

function blankAfter(text: string): number {
  const comma = text.slice(0, 80).search(/[,;:–—]\s/)
  const blank = text.search(/\s/)
  return comma >= 0 ? comma + 2 : blank + 1
}

function blankBefore(text: string): number {
  const blank = text.search(/\s\S*$/)
  return blank > 0 ? blank : text.length
}

function cutTo(candidate: Candidate, start: number, end: number): Candidate {
  const cut = { before: start > candidate.start, after: end < candidate.end }
  return { ...candidate, start, end, cut }
}
