import { partsOfQuestion } from '@docent/quote/before-judge/parts-of-question.ts'
import {
  type Quotes,
  quotePassages,
  type ToQuote,
} from '@docent/quote/before-judge/quote-passages.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { type Wordings, withContext } from '@docent/text/follow-up.ts'
import { findPassages, type Search, type SearchedChatbot } from '../../search/find-passages.ts'
import { joinNeighbors } from '../../search/join-neighbors.ts'
import { judgeHeadings } from './judge-headings.ts'
import { type ReadingServices, readPassages } from './read-passages.ts'

export type QuotingServices = Search & ReadingServices

export interface Asked {
  chatbot: SearchedChatbot
  question: string
  /** The last is the question with all the context that it needs. */
  wordings: Wordings
  found: FoundPassage[]
  showCitations: boolean
}

/** Answers in the sources' own words. Answers a multi-part question part by part if any part has an answer. */
export async function quoteAnswer(services: QuotingServices, asked: Asked): Promise<Quotes> {
  const parts = partsOfQuestion(asked.question)
  const several = parts.length > 1 ? await quoteParts(services, asked, parts) : undefined
  return several ?? quotePassages(await read(services, asked))
}

async function quoteParts(
  services: QuotingServices,
  asked: Asked,
  parts: string[],
): Promise<Quotes | undefined> {
  // Earlier parts are context for later parts, and the context of the whole question applies to all parts.
  const earlier = asked.wordings.at(-1)!.text.slice(0, -asked.question.length)
  const toQuote = await Promise.all(
    parts.map(async (question, i) => {
      const before = `${earlier}${parts.slice(0, i).join(' ')}`.trim()
      const wordings = before ? withContext(question, before) : [{ text: question, share: 1 }]
      const found = joinNeighbors(await findPassages(services, asked.chatbot, wordings))
      return read(services, { ...asked, question, wordings, found })
    }),
  ).catch((error) => {
    services.log.warn({ err: error }, 'parts could not be answered, answering the whole question')
    return []
  })
  const answers: Quotes[] = []
  for (const one of toQuote) {
    const cited = answers.flatMap(({ passages }) => passages)
    const answer = quotePassages({ ...one, cited })
    if (answers.some((other) => saysAll(other, answer))) continue
    answers.push(answer.answered ? answer : naming(one.question, answer))
  }
  if (!answers.some(({ answered }) => answered)) return undefined
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    passages: answers.flatMap(({ passages }) => passages),
    confidence: Math.min(...answers.map(({ confidence }) => confidence)),
    answered: answers.every(({ answered }) => answered),
  }
}

async function read(services: QuotingServices, asked: Asked): Promise<ToQuote> {
  const { chatbot, question, wordings, found, showCitations } = asked
  const ownerId = chatbot.owner_id
  const [readings, section] = await Promise.all([
    readPassages(services, ownerId, wordings, found),
    judgeHeadings(services, ownerId, wordings.at(-1)!.text, found),
  ])
  return { question, found, readings, asked: section, showCitations }
}

/** Names the part that found no answer. */
function naming(part: string, answer: Quotes): Quotes {
  return { ...answer, text: `“${part}”: ${answer.text}` }
}

/** Whether another answer already contains everything that this answer quotes. */
function saysAll(other: Quotes, { passages, answered }: Quotes): boolean {
  const isSaid = (one: FoundPassage) =>
    other.text.includes(one.quote ?? one.text) &&
    other.passages.some(
      ({ source_id, starts_at, ends_at }) =>
        source_id === one.source_id && starts_at <= one.starts_at && one.ends_at <= ends_at,
    )
  return answered && passages.length > 0 && passages.every(isSaid)
}
