import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { asksHow } from './asks-how.ts'
import type { Candidate } from './choose-sentences.ts'
import { endOfInstructions, hasInstructions } from './complete-quotes.ts'
import type { Section } from './sections.ts'

// What one does with anything.
const DEALING = analyzeText(
  'use make work want need handle define configure set send get create add write change start open run show see find',
)
const INSTRUCTIONS = /^\s*(?:`{3}|~{3}|\d{1,3}[.)]\s)/
const LEAST_SHARED = 1 / 3
// A sentence with this much of the question asks the same, too.
const SAME_QUESTION = 0.9

/**
 * To whoever asks how, the steps or the program under the heading that, with those above it, asks the same: those that a
 * sentence with the question's words leads to, else the best sentence, else the first. `weighed` has the best sentences
 * first.
 */
export function findInstructions(
  question: string,
  sections: Section[],
  weighed: readonly Candidate[],
): Candidate | undefined {
  if (!asksHow(question)) return undefined
  const asked = analyzeQuestion(question)
  for (const { passage, rank, sentences, from, to, heading, known } of sections) {
    if (!asksTheSame(asked, heading, known)) continue
    const under = weighed.filter((one) => one.rank === rank && one.index >= from && one.index < to)
    const best = under.find(asksTheSameAndLeads) ?? under[0]
    for (const index of best ? [best.index, from] : []) {
      const end = endOfInstructions(passage.text, sentences, index)
      if (end === undefined) continue
      return { passage, rank, index, start: sentences[index]!.start, end, value: 1, spans: [] }
    }
  }
  return undefined
}

/** A heading of nothing else, like “Cookies”, speaks of all that is done with them; a long one of what went wrong with them. */
function asksTheSame(asked: string[], heading: string[], known: Set<string>): boolean {
  const missing = asked.filter((word) => !known.has(word))
  const shared = heading.filter((word) => asked.includes(word))
  if (shared.length === 0 || shared.length < LEAST_SHARED * heading.length) return false
  if (missing.length === 0) return true
  const isAll = heading.every((word) => asked.includes(word))
  return isAll && missing.every((word) => DEALING.includes(word))
}

function asksTheSameAndLeads(candidate: Candidate): boolean {
  const { passage, start, end, index } = candidate
  const { text } = passage
  if ((passage.sentenceCoverage[index] ?? 0) < SAME_QUESTION) return false
  // What stands in a program is no question.
  if (INSTRUCTIONS.test(text.slice(start, start + 12))) return false
  return hasInstructions(candidate) || INSTRUCTIONS.test(text.slice(end, end + 12))
}
