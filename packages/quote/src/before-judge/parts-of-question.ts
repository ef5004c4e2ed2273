import { readWords } from '@docent/text/analyze-text.ts'
import { isSmallWord } from '@docent/text/small-words.ts'
import { replyToSmallTalk } from './small-talk.ts'

const MOST_PARTS = 3
// Who writes more tells a story, and what is looked at is looked at more than once.
const LONGEST = 400
const anyOf = (list: string) => `(?:${list.trim().split(/\s+/).join('|')})`
const HELPING = anyOf('is are was were do does did can could may must should will would has have')
const ASKING = anyOf('who whom whose what which when where why how')
const SUBJECT = anyOf(
  'i we you it they he she there the a an my your our his her its their this that these those any',
)
const GERMAN_ASKING = anyOf(
  'wann wo wohin woher wie wieviel was wer wem wen warum wieso welche welcher welches welchen',
)
const GERMAN_VERB = anyOf(
  `ist sind war waren hat habe haben habt kann können könnt darf dürfen muss müssen soll sollte wird werden gibt kostet
  kosten liegt steht findet finde dauert dauern komme kommt kommen bekomme bekommt gilt gelten öffnet schließt`,
)
const GERMAN_SUBJECT = anyOf(
  'ich man wir ihr sie es er der die das den ein eine einen mein meine dein deine euer eure unser unsere',
)

interface Language {
  and: RegExp
  /** How a question of its own begins: asking, a verb, and then who or what. A clause has them in another order. */
  whole: RegExp
  /** The first one may also ask who did something. */
  first: RegExp
  /** Within a question, what follows is a clause of it. */
  clause: RegExp
}

const ENGLISH: Language = {
  and: /,? and (?:also )?/gi,
  whole: new RegExp(`^(?:${ASKING}\\s+(?:[\\w-]+\\s+){0,3}?)?${HELPING}\\s+${SUBJECT}\\s`, 'i'),
  first: new RegExp(
    `^(?:who\\s+[\\w-]+\\s+\\w|${ASKING}(?:['’]s|\\s+(?:[\\w-]+\\s+){0,4}?${HELPING})\\s|${HELPING}\\s+${SUBJECT}\\s)`,
    'i',
  ),
  clause: new RegExp(`\\s(?:${ASKING}|that|if|whether|between|because|while|until|unless)\\s`, 'i'),
}
const GERMAN: Language = {
  and: /,? und (?:auch )?/gi,
  whole: new RegExp(
    `^(?:${GERMAN_ASKING}\\s+(?:\\p{L}+\\s+){0,2}?)?${GERMAN_VERB}\\s+${GERMAN_SUBJECT}[\\s?]`,
    'iu',
  ),
  first: new RegExp(`^(?:${GERMAN_ASKING}\\s+(?:\\p{L}+\\s+){0,2}?)?${GERMAN_VERB}\\s`, 'iu'),
  clause: new RegExp(`\\s(?:${GERMAN_ASKING}|dass|ob|wenn|falls|zwischen|weil|bevor)\\s`, 'iu'),
}
// A title that is asked for, or what is to be translated.
const QUOTED = /["“”„«»()[\]]/
const BETWEEN_QUESTIONS = /(?<=[?？]) (?:(?:and|und) )?/i

/**
 * The questions that a question is made of: “When are you open, and where can I park?” is two. Only what is plainly several,
 * each with something to look for, is taken apart; all else is one.
 */
export function partsOfQuestion(question: string): string[] {
  if (question.length > LONGEST || QUOTED.test(question)) return [question]
  const oneLine = question.trim().replace(/\s+/g, ' ')
  for (const language of [ENGLISH, GERMAN]) {
    const parts = oneLine.split(BETWEEN_QUESTIONS).flatMap((one) => splitJoined(one, language))
    const areWhole = parts.every((part, i) => isWhole(part, i === 0, language))
    if (parts.length > 1 && parts.length <= MOST_PARTS && areWhole) return parts
  }
  return [question]
}

/** At each *and* that a whole question follows; any other stands within one. */
function splitJoined(question: string, language: Language): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: joint, index } of question.matchAll(language.and)) {
    const next = index + joint.length
    if (!language.whole.test(question.slice(next))) continue
    parts.push(`${question.slice(start, index)}?`)
    start = next
  }
  return [...parts, question.slice(start)]
}

function isWhole(part: string, isFirst: boolean, { first, whole, clause }: Language): boolean {
  if (!(whole.test(part) || (isFirst && first.test(part))) || clause.test(part)) return false
  const { words, languages } = readWords(part)
  return (
    words.some(({ folded }) => !isSmallWord(folded, languages)) &&
    replyToSmallTalk(part) === undefined
  )
}
