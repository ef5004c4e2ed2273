import { ANALYSIS } from '@docent/text/passage-words.ts'
import { sql } from 'kysely'
import { type Database, runAtomically, type UnitStatement } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { cosine } from '../../models/embedding/vectors.ts'
import type { Build } from '../hidden-builds.ts'
import type { QuestionVector, RegisteredEmbedder } from '../vectors/text-vectors.ts'
import { CANDIDATE_COLUMNS, IS_SHOWN, WITH_PAGE } from './candidates.ts'
import type { Batch, CandidatePassage, PassageIndex, RewrittenPassage } from './passage-index.ts'
import {
  createVectorTables,
  dropVectorTables,
  findBySigns,
  insertVectors,
} from './vectors-on-sqlite.ts'
import { findByWords, MARK_OF_PASSAGE, readStatistics } from './word-index.ts'

/** Finds words in a full-text index, and vectors by their sign bits. */
export const sqliteIndex: PassageIndex = {
  readStatistics,
  findByWords,
  findByMeaning: findBySigns,
  readCandidates,
  insertPassages,
  rewriteWords,
  createVectorTables,
  dropVectorTables,
  addVectors(db, embedder, vectors) {
    const given = JSON.stringify(vectors.map(({ id, vector, signs }) => [id, vector, signs]))
    const passages = sql`
      SELECT passages.id, chatbot_id, value ->> 1 AS vector, value ->> 2 AS signs
      FROM json_each(${given}) CROSS JOIN passages ON passages.id = value ->> 0`
    return runAtomically(db, insertVectors(db, embedder, passages))
  },
}

type Row = Omit<CandidatePassage, 'cosines'> & { vector: Uint8Array | null }

async function readCandidates(
  searchDb: Database,
  chatbotId: string,
  ids: number[],
  wordings: (QuestionVector | undefined)[],
): Promise<CandidatePassage[]> {
  const embedder = wordings[0]?.embedder.id ?? null
  const rows = await findCandidates.read(searchDb, JSON.stringify(ids), embedder, chatbotId)
  return rows.map(({ vector, ...row }) => ({
    ...row,
    cosines: wordings.map((asked) => (asked && vector ? cosine(asked.vector, vector) : 0)),
  }))
}

const findCandidates = prepareQuery(
  (db, ids: string, embedderId: number | null, chatbotId: string) => ({
    compile: () =>
      sql<Row>`
        SELECT ${CANDIDATE_COLUMNS}, passage_vectors.vector
        FROM json_each(${ids}) AS given
        CROSS JOIN passages ON passages.id = given.value
        JOIN sources ON sources.id = passages.source_id ${WITH_PAGE}
        LEFT JOIN passage_vectors ON passage_vectors.passage_id = passages.id
          AND passage_vectors.embedder_id = ${embedderId}
        WHERE passages.chatbot_id = ${chatbotId} AND ${IS_SHOWN}`.compile(db),
  }),
)

/** Puts the chatbot's mark before each word. */
const markedWords = (words: string) =>
  sql.raw(`${MARK_OF_PASSAGE} ||
  replace(trim(replace(${words}, char(10), ' ')), ' ', ' ' || ${MARK_OF_PASSAGE})`)

/**
 * Runs as one transaction with the passages last, because `analysis` tells which passages still have old words. A new
 * passage may reuse the id of a deleted one, so only passages with an old analysis change.
 */
function rewriteWords(db: Database, passages: RewrittenPassage[]): UnitStatement[] {
  const given = JSON.stringify(passages.map(({ id, words }) => [id, words]))
  const rewritten = sql`json_each(${given}) AS given
    CROSS JOIN passages ON passages.id = value ->> 0 AND analysis < ${ANALYSIS}`
  const statements = [
    sql`UPDATE passage_counts SET length = passage_counts.length + changed.length
      FROM (SELECT chatbot_id, sum(length(value ->> 1) - length(words)) AS length FROM ${rewritten} GROUP BY chatbot_id)
        AS changed
      WHERE passage_counts.chatbot_id = changed.chatbot_id`,
    sql`DELETE FROM passage_words WHERE rowid IN (SELECT passages.id FROM ${rewritten})`,
    sql`INSERT INTO passage_words (rowid, build, words)
      SELECT passages.id, build, ${markedWords('value ->> 1')} FROM ${rewritten}`,
    sql`UPDATE passages SET words = value ->> 1, analysis = ${ANALYSIS}
      FROM json_each(${given}) WHERE passages.id = value ->> 0 AND analysis < ${ANALYSIS}`,
  ]
  return statements.map((statement) => ({ query: statement.compile(db) }))
}

function insertPassages(
  db: Database,
  embedder: RegisteredEmbedder,
  { id: build, source, pageUrl }: Build,
  revision: string,
  { from, passages }: Batch,
): UnitStatement[] {
  const rows = JSON.stringify(
    passages.map(({ start, end, text, page = null, gap, lead, words }) => [
      start,
      end,
      text,
      page,
      gap,
      lead,
      words,
    ]),
  )
  const vectors = JSON.stringify(passages.map(({ vector, signs }) => [vector, signs]))
  // CROSS JOIN stops SQLite from scanning the passages first, and the JSON again for each of them.
  const inserted = sql`CROSS JOIN passages ON passages.source_id = ${source.id} AND passages.page_url = ${pageUrl}
    AND passages.build = ${build} AND passages.position = ${from} + given.key`
  return [
    {
      query: sql`
        INSERT INTO passages (chatbot_id, source_id, revision, page_url, build, position, starts_at, ends_at, text,
          page, gap, lead, words, analysis)
        SELECT ${source.chatbot_id}, ${source.id}, ${revision}, ${pageUrl}, ${build}, ${from} + key, value ->> 0,
          value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, ${ANALYSIS}
        FROM json_each(${rows})`.compile(db),
    },
    {
      query: sql`
        INSERT INTO passage_words (rowid, build, words) SELECT passages.id, build, ${markedWords('words')}
        FROM json_each(${vectors}) AS given ${inserted}`.compile(db),
    },
    ...insertVectors(
      db,
      embedder,
      sql`SELECT passages.id, chatbot_id, given.value ->> 0 AS vector, given.value ->> 1 AS signs
        FROM json_each(${vectors}) AS given ${inserted}`,
    ),
  ]
}
