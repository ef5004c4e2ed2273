import { type FoundPassage, findPassages } from '../search/find-passages.ts'
import { type Wordings, wordingsOf, wordingsOfPart } from '../search/follow-up.ts'
import { joinNeighbours } from '../search/join-neighbours.ts'
import type { Services } from '../services.ts'
import { judgeHeadings } from './asked-headings.ts'
import { type MarkedPassage, markPassages } from './cite-sources.ts'
import { partsOfQuestion } from './parts-of-question.ts'
import { type Quotes, quotePassages } from './quote-passages.ts'
import { readPassages } from './read-passages.ts'

export interface Asked {
  chatbotId: string
  question: string
  /** The question before it. */
  before: string | undefined
  wordings: Wordings
  found: FoundPassage[]
  showCitations: boolean
}

/** The sources' own words. What asks for several things is answered one by one, where any of them is there. */
export async function quoteAnswer(services: Services, asked: Asked): Promise<Quotes> {
  const parts = partsOfQuestion(asked.question)
  if (parts.length > 1) {
    const answers = await Promise.all(
      parts.map((part, i) => {
        const earlier = parts[i - 1]
        const wordings = earlier ? wordingsOfPart(part, earlier) : wordingsOf(part, asked.before)
        return quotePart(services, asked, part, wordings)
      }),
    )
    if (answers.some(({ answered }) => answered)) return joinAnswers(answers.map(named(parts)))
  }
  return quoteOne(services, asked)
}

async function quotePart(
  services: Services,
  asked: Asked,
  question: string,
  wordings: Wordings,
): Promise<Quotes> {
  const found = joinNeighbours(await findPassages(services, asked.chatbotId, wordings))
  return quoteOne(services, { ...asked, question, wordings, found })
}

async function quoteOne(
  services: Services,
  { question, wordings, found, showCitations }: Asked,
): Promise<Quotes> {
  const [readings, asked] = await Promise.all([
    readPassages(services, wordings, found),
    judgeHeadings(services, wordings.at(-1)!.text, found),
  ])
  return quotePassages({ question, found, readings, asked, showCitations })
}

/** What is not there is said of the part that it was asked in. */
function named(parts: string[]): (answer: Quotes, i: number) => Quotes {
  return (answer, i) => {
    if (answer.answered) return answer
    // A marker in a question cites nothing.
    const part = withoutMarkers(parts[i]!).replace(/\s+/g, ' ')
    return { ...answer, text: `“${part}”: ${answer.text}` }
  }
}

/** One below the other, what two of them say alike once. It is as sure as the least sure of them. */
function joinAnswers(answers: Quotes[]): Quotes {
  const several = answers.filter(({ text }, i) =>
    answers.every((other, k) => k === i || !saysMore(other.text, text, k < i)),
  )
  const passages = markPassages(several.flatMap((answer) => answer.passages))
  let at = 0
  const texts = several.map((answer) => {
    const own = passages.slice(at, at + answer.passages.length)
    at += own.length
    return withMarkers(answer, own)
  })
  return {
    text: texts.join('\n\n'),
    passages,
    confidence: Math.min(...answers.map(({ confidence }) => confidence)),
    answered: answers.every(({ answered }) => answered),
  }
}

/** Whether one text has all that the other says; of two that are the same, the first. */
function saysMore(text: string, other: string, isFirst: boolean): boolean {
  const [one, two] = [text, other].map(withoutMarkers) as [string, string]
  return one === two ? isFirst : one.includes(two)
}

const MARKER = /\[(\d+\.\d+)\]/g

function withoutMarkers(text: string): string {
  return text.replace(MARKER, '').trim()
}

function withMarkers({ text, passages }: Quotes, marked: MarkedPassage[]): string {
  const markers = new Map(passages.map(({ marker }, i) => [marker, marked[i]!.marker]))
  return text.replace(MARKER, (whole, marker) => {
    const now = markers.get(marker)
    return now === undefined ? whole : `[${now}]`
  })
}
