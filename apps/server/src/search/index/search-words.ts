import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { withoutHidden } from '../hidden-builds.ts'
import type { WordStatistics } from '../ranking/combine-scores.ts'
import { CANDIDATES_BY_WORDS } from './candidates.ts'

// The end of a chatbot's id is random. Should two ever share a mark, a search still looks at the id itself.
const MARK_LENGTH = 12

/** What stands before every word of a chatbot's passages in the index. */
export function markOf(chatbotId: string): string {
  return chatbotId.slice(-MARK_LENGTH)
}

/** The same, of the chatbot of a row of passages. */
export const MARK_OF_PASSAGE = `substr(passages.chatbot_id, ${-MARK_LENGTH})`

/** No row for a chatbot that never had any. */
export const countPassages = prepareQuery((db, chatbotId: string) =>
  db
    .selectFrom('passage_counts')
    .select(['passages', 'length'])
    .where('chatbot_id', '=', chatbotId),
)

/** The terms are given as JSON, so that however many there are, it is one query. */
const countTerms = prepareQuery((db, terms: string) =>
  db
    .selectFrom('passage_terms')
    .select(['term', 'doc'])
    .where('term', 'in', sql<string>`(SELECT value FROM json_each(${terms}))`),
)

/** How rare words are among the passages of a chatbot. */
export async function readStatistics(
  searchDb: Database,
  chatbotId: string,
  terms: string[],
): Promise<WordStatistics> {
  const mark = markOf(chatbotId)
  const marked = JSON.stringify(terms.map((term) => mark + term))
  const [[counts], found] = await Promise.all([
    countPassages.read(searchDb, chatbotId),
    countTerms.read(searchDb, marked),
  ])
  const { passages, length } = counts ?? { passages: 0, length: 0 }
  return {
    passages,
    averageLength: passages === 0 ? 1 : length / passages,
    found: new Map(found.map(({ term, doc }) => [term.slice(MARK_LENGTH), doc])),
  }
}

const matchWords = prepareQuery((db, wanted: string, chatbotId: string) => ({
  compile: () =>
    sql<{ id: number }>`
      SELECT rowid AS id FROM passage_words
      WHERE passage_words MATCH ${wanted} || ${withoutHidden(chatbotId)}
      ORDER BY bm25(passage_words) LIMIT ${sql.lit(CANDIDATES_BY_WORDS)}`.compile(db),
}))

/** The ids of the passages of a chatbot that share words with the question, the likeliest first. */
export async function findByWords(
  searchDb: Database,
  chatbotId: string,
  terms: { term: string }[],
): Promise<number[]> {
  if (terms.length === 0) return []
  const mark = markOf(chatbotId)
  const wanted = `(words : (${terms.map(({ term }) => `"${mark}${term}"`).join(' OR ')}))`
  const rows = await matchWords.read(searchDb, wanted, chatbotId)
  return rows.map(({ id }) => id)
}
