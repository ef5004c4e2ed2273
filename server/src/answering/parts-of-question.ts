import { analyzeQuestion } from '../search/analyze-text.ts'

const MOST_PARTS = 3
// Who writes more tells a story, and what is looked at is looked at more than once.
const LONGEST = 400
const HELPING =
  'is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had'
const ASKING = 'who|whom|whose|what|which|when|where|why|how'
const ASKING_IN_GERMAN = 'wann|wo|wohin|woher|wie|wieviel|was|wer|wem|wen|warum|wieso|welche[rsnm]?'

// “what time do …”, “who founded …” and “is there …” begin whole questions, unlike “which Asian countries”.
const ENGLISH = {
  and: /,?\s+and\s+(?:also\s+)?/gi,
  whole: new RegExp(
    `^(?:who\\s+\\w+\\s+\\w|(?:${ASKING})(?:['’]s\\s|\\s+(?:[\\w-]+\\s+){0,3}?(?:${HELPING})\\s)|(?:${HELPING})\\s+(?:there|i|we|you|it|they|he|she)\\s|(?:is|are|do|does|can|will)\\s+(?:the|a|an|my|your|our|any)\\s)`,
    'i',
  ),
}
const GERMAN = {
  and: /,?\s+und\s+(?:auch\s+)?/gi,
  whole: new RegExp(
    `^(?:(?:${ASKING_IN_GERMAN})\\s+\\p{L}+\\s+\\p{L}|(?:gibt|kann|können|darf|muss|habt|haben|hat|ist|sind|seid)\\s+(?:es|ich|man|wir|ihr|sie)\\s)`,
    'iu',
  ),
}
const BETWEEN_QUESTIONS = /(?<=[?？])\s+(?:(?:and|und)\s+)?/i

/**
 * The questions that a question is made of: “When are you open, and where can I park?” is two. Only such that are whole, each
 * with something to look for; one question is itself.
 */
export function partsOfQuestion(question: string): string[] {
  if (question.length > LONGEST) return [question]
  for (const language of [ENGLISH, GERMAN]) {
    const isWhole = (part: string) =>
      language.whole.test(part) && analyzeQuestion(part).some((term) => !ASKS_ALONE.test(term))
    const parts = question
      .trim()
      .split(BETWEEN_QUESTIONS)
      .flatMap((one) => splitJoined(one, language.and, isWhole))
    if (parts.length > 1 && parts.length <= MOST_PARTS && parts.every(isWhole)) return parts
  }
  return [question]
}

/** At each *and* that a whole question follows; any other stands within one. */
function splitJoined(question: string, and: RegExp, isWhole: (part: string) => boolean): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: joint, index } of question.matchAll(and)) {
    const next = index + joint.length
    if (!isWhole(question.slice(next))) continue
    parts.push(`${question.slice(start, index)}?`)
    start = next
  }
  return [...parts, question.slice(start)]
}

const ASKS_ALONE = new RegExp(`^(?:${ASKING}|${HELPING}|${ASKING_IN_GERMAN})$`, 'i')
