import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepareQuery } from '../database/prepare-query.ts'
import { CANDIDATE_COLUMNS, IS_SHOWN, WITH_PAGE } from './index/candidates.ts'
import type { CandidatePassage } from './index/passage-index.ts'
import { countPassages } from './index/word-index.ts'
import {
  partWords,
  termsToCount,
  weighPassage,
  withoutTwins,
  wordsOfQuestion,
} from './rank-passages.ts'

const NOT_WEIGHED = {
  count: 1,
  partStarts: [0],
  score: 0,
  evidence: { words: 0, meaning: 0, phrases: 0, sentence: 0, coverage: 0 },
  nearness: 'none' as const,
  sentenceCoverage: [],
}

/**
 * Lists all passages of a chatbot in document order, or returns undefined if it has more than `atMost`. For so few
 * passages a search only changes the order, and it takes a fifth of the time of a whole turn.
 */
export async function listPassages(
  db: Database,
  chatbotId: string,
  wordings: () => Wordings,
  atMost: number,
): Promise<FoundPassage[] | undefined> {
  const [counted] = await countPassages.read(db, chatbotId)
  const { passages, length } = counted ?? { passages: 0, length: 0 }
  if (passages > atMost) return undefined
  const listed = passages === 0 ? [] : await findAll.read(db, chatbotId)
  let prepared: ReturnType<typeof prepareAmong> | undefined
  const prepare = () => {
    prepared ??= prepareAmong(listed, length / passages, wordings())
    return prepared
  }
  return distinct(listed).map((passage) => ({
    ...passage,
    weigh: () => weighPassage(prepare(), { ...passage, cosines: wordings().map(() => 0) }).score,
  }))
}

type NotWeighed = ListedPassage & typeof NOT_WEIGHED
const distinctOf = new WeakMap<readonly ListedPassage[], NotWeighed[]>()

/** Caches the result for repeated reads that return the same rows. */
function distinct(listed: readonly ListedPassage[]): NotWeighed[] {
  let passages = distinctOf.get(listed)
  if (!passages) {
    passages = withoutTwins(listed.map((passage) => ({ ...passage, ...NOT_WEIGHED })))
    distinctOf.set(listed, passages)
  }
  return passages
}

type ListedPassage = Omit<CandidatePassage, 'cosines'>

const findAll = prepareQuery((db, chatbotId: string) => ({
  compile: () =>
    sql<ListedPassage>`
      SELECT ${CANDIDATE_COLUMNS}
      FROM sources JOIN passages ON passages.source_id = sources.id ${WITH_PAGE}
      WHERE sources.chatbot_id = ${chatbotId} AND ${IS_SHOWN} ORDER BY passages.id`.compile(db),
}))

/** Computes the same numbers as the index, because every passage is here. */
function prepareAmong(listed: readonly ListedPassage[], averageLength: number, wordings: Wordings) {
  const wordsOfEach = listed.map(({ words }) => new Set(words.split(/[ \n]/)))
  return wordings.map(({ text, share }) => {
    const words = wordsOfQuestion(text)
    const found = new Map(
      termsToCount(words).map((term) => [term, wordsOfEach.filter((one) => one.has(term)).length]),
    )
    const statistics = { passages: listed.length, averageLength, found }
    return { share, words: partWords(words, statistics, listed), statistics, understood: 0 }
  })
}
