import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepareQuery } from '../database/prepare-query.ts'
import { CANDIDATE_COLUMNS, IS_SHOWN, WITH_PAGE } from './candidates.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Wordings } from './follow-up.ts'
import type { CandidatePassage } from './passage-index.ts'
import { weighPassage, withoutTwins, wordsOfQuestion } from './rank-passages.ts'
import { countPassages } from './search-words.ts'

const NOT_WEIGHED = {
  count: 1,
  partStarts: [0],
  score: 0,
  evidence: { words: 0, meaning: 0, phrases: 0, sentence: 0, coverage: 0 },
  sentenceCoverage: [],
}

/**
 * All passages of a chatbot that has no more than so many, in the order of their documents; undefined if it has more. Where there
 * is nothing to choose, searching would only put them in another order, for a fifth of the time that a whole turn takes.
 */
export async function listPassages(
  db: Database,
  chatbotId: string,
  wordings: Wordings,
  atMost: number,
): Promise<FoundPassage[] | undefined> {
  const [counted] = await countPassages.read(db, chatbotId)
  const { passages, length } = counted ?? { passages: 0, length: 0 }
  if (passages > atMost) return undefined
  const listed = passages === 0 ? [] : await findAll.read(db, chatbotId)
  const prepare = () => prepareAmong(listed, length / passages, wordings)
  let prepared: ReturnType<typeof prepare> | undefined
  const found = listed.map((passage) => {
    const weigh = () => {
      prepared ??= prepare()
      return weighPassage(prepared, { ...passage, cosines: wordings.map(() => 0) }).score
    }
    return { ...passage, ...NOT_WEIGHED, weigh }
  })
  return withoutTwins(found)
}

type ListedPassage = Omit<CandidatePassage, 'cosines'>

const findAll = prepareQuery((db, chatbotId: string) => ({
  compile: () =>
    sql<ListedPassage>`
      SELECT ${CANDIDATE_COLUMNS}
      FROM sources JOIN passages ON passages.source_id = sources.id ${WITH_PAGE}
      WHERE sources.chatbot_id = ${chatbotId} AND ${IS_SHOWN} ORDER BY passages.id`.compile(db),
}))

/** The same numbers that the index would give, since every passage is here. */
function prepareAmong(listed: readonly ListedPassage[], averageLength: number, wordings: Wordings) {
  const wordsOfEach = listed.map(({ words }) => new Set(words.split(/[ \n]/)))
  return wordings.map(({ text, share }) => {
    const words = wordsOfQuestion(text)
    const found = new Map(
      [...words.terms, ...words.all].map((term) => [
        term,
        wordsOfEach.filter((one) => one.has(term)).length,
      ]),
    )
    return { share, words, statistics: { passages: listed.length, averageLength, found } }
  })
}
