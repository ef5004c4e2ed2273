import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { withoutHidden } from '../hidden-builds.ts'
import type { WordStatistics } from '../ranking/combine-scores.ts'
import { CANDIDATES_BY_WORDS } from './candidates.ts'

// A chatbot's id ends in random characters. If two chatbots shared a mark, the search still checks the full id.
const MARK_LENGTH = 12

/** The prefix of every word of a chatbot's passages in the index. */
function markOf(chatbotId: string): string {
  return chatbotId.slice(-MARK_LENGTH)
}

/** `markOf` in SQL, for a row of `passages`. */
export const MARK_OF_PASSAGE = `substr(passages.chatbot_id, ${-MARK_LENGTH})`

/** Returns no row for a chatbot that never had passages. */
export const countPassages = prepareQuery((db, chatbotId: string) =>
  db
    .selectFrom('passage_counts')
    .select(['passages', 'length'])
    .where('chatbot_id', '=', chatbotId),
)

/** Takes the terms as JSON, so that one prepared query serves any number of them. */
const countTerms = prepareQuery((db, terms: string) =>
  db
    .selectFrom('passage_terms')
    .select(['term', 'doc'])
    .where('term', 'in', sql<string>`(SELECT value FROM json_each(${terms}))`),
)

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
