import { ANALYSIS } from '@docent/text/passage-words.ts'
import { sql } from 'kysely'
import { type Database, runAtomically, type UnitStatement } from '../../database/database.ts'
import { weightsOfPassage, weightsOfQuestion } from '../ranking/word-weights.ts'
import type { QuestionVector } from '../vectors/text-vectors.ts'
import {
  CANDIDATE_COLUMNS,
  CANDIDATES_BY_MEANING,
  CANDIDATES_BY_WORDS,
  IS_SHOWN,
  WITH_PAGE,
} from './candidates.ts'
import type { CandidatePassage, PassageIndex, RewrittenPassage } from './passage-index.ts'
import { MANY_PASSAGES } from './vector-indexes.ts'

// `word_counts` truncates words to this length.
const MAX_WORD = 200

/**
 * Stores words as sparse vectors whose product is BM25, and vectors with half precision. Compares all vectors of a
 * chatbot exactly, up to `MANY_PASSAGES`.
 */
export const postgresIndex: PassageIndex = {
  async readStatistics(searchDb, chatbotId, terms) {
    const [counts, found] = await Promise.all([
      searchDb
        .selectFrom('passage_counts')
        .select(['passages', 'length'])
        .where('chatbot_id', '=', chatbotId)
        .executeTakeFirst(),
      sql<{ term: string; passages: number }>`
        SELECT given.term, passages FROM unnest(${terms}::text[]) AS given (term)
        JOIN word_counts ON chatbot_id = ${chatbotId} AND word = left(given.term, ${sql.lit(MAX_WORD)})
      `.execute(searchDb),
    ])
    const { passages, length } = counts ?? { passages: 0, length: 0 }
    return {
      passages,
      averageLength: passages === 0 ? 1 : length / passages,
      found: new Map(found.rows.map((row) => [row.term, row.passages])),
    }
  },

  async findByWords(searchDb, chatbotId, terms) {
    if (terms.length === 0) return []
    const asked = weightsOfQuestion(terms)
    // OFFSET 0 keeps the subquery separate, so each distance is computed once. A distance below zero means a shared
    // word.
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM (
        SELECT passage_id AS id, words <#> ${asked}::sparsevec AS distance FROM passage_words
        WHERE chatbot_id = ${chatbotId} AND ${isShown('passage_words', chatbotId)} OFFSET 0
      ) AS compared
      WHERE distance < 0 ORDER BY distance, id LIMIT ${CANDIDATES_BY_WORDS}`.execute(searchDb)
    return rows.map(({ id }) => id)
  },

  async findByMeaning(searchDb, chatbotId, question, passages) {
    if (passages > MANY_PASSAGES) return findNear(searchDb, chatbotId, question)
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM (
        SELECT passage_id AS id, vector <=> ${halfVector(question)}::halfvec AS distance FROM passage_vectors
        WHERE chatbot_id = ${chatbotId} AND embedder_id = ${question.embedder.id}
          AND ${isShown('passage_vectors', chatbotId)} OFFSET 0
      ) AS compared
      ORDER BY distance, id LIMIT ${CANDIDATES_BY_MEANING}`.execute(searchDb)
    return rows.map(({ id }) => id)
  },

  async readCandidates(searchDb, chatbotId, ids, wordings) {
    const cosines = wordings.map((asked) =>
      asked ? sql`1 - (passage_vectors.vector <=> ${halfVector(asked)}::halfvec)` : sql`0`,
    )
    const { rows } = await sql<CandidatePassage & { cosines: (number | null)[] }>`
      SELECT ${CANDIDATE_COLUMNS}, ARRAY[${sql.join(cosines)}]::float8[] AS cosines
      FROM passages
      JOIN sources ON sources.id = passages.source_id ${WITH_PAGE}
      LEFT JOIN passage_vectors ON passage_vectors.passage_id = passages.id
        AND passage_vectors.embedder_id = ${wordings[0]?.embedder.id ?? null}
      WHERE passages.id = ANY (${ids}::bigint[]) AND passages.chatbot_id = ${chatbotId} AND ${IS_SHOWN}
    `.execute(searchDb)
    // A missing vector, or a vector of length zero, has no nearness.
    return rows.map((row) => ({ ...row, cosines: row.cosines.map((value) => value || 0) }))
  },

  insertPassages(db, embedder, { id: build, source, pageUrl }, revision, { from, passages }) {
    const list = <T>(of: (passage: (typeof passages)[number]) => T) => passages.map(of)
    const query = sql`
      WITH given AS (
        SELECT *, ${from}::int + place - 1 AS position FROM unnest(
          ${list(({ start }) => start)}::int[], ${list(({ end }) => end)}::int[], ${list(({ text }) => text)}::text[],
          ${list(({ page = null }) => page)}::int[], ${list(({ gap }) => gap)}::text[],
          ${list(({ lead }) => lead)}::text[], ${list(({ words }) => words)}::text[],
          ${list(({ words }) => weightsOfPassage(words))}::text[], ${list(({ vector }) => fromHex(vector))}::text[]
        ) WITH ORDINALITY AS given (starts_at, ends_at, text, page, gap, lead, words, weights, vector, place)
      ), inserted AS (
        INSERT INTO passages (chatbot_id, source_id, revision, page_url, build, position, starts_at, ends_at, text,
          page, gap, lead, words, analysis)
        SELECT ${source.chatbot_id}, ${source.id}, ${revision}, ${pageUrl}, ${build}, position, starts_at, ends_at,
          text, page, gap, lead, words, ${sql.lit(ANALYSIS)}
        FROM given ORDER BY position RETURNING id, chatbot_id, build, position
      ), with_words AS (
        INSERT INTO passage_words (passage_id, chatbot_id, build, words)
        SELECT id, chatbot_id, build, weights::sparsevec FROM inserted JOIN given USING (position)
      )
      INSERT INTO passage_vectors (passage_id, embedder_id, chatbot_id, build, vector)
      SELECT inserted.id, embedders.id, chatbot_id, build, given.vector::halfvec
      FROM inserted JOIN given USING (position)
      -- Another embedder may have taken over on other nodes; it embeds the passage anew.
      JOIN embedders ON embedders.id = ${embedder.id}`
    return [{ query: query.compile(db) }]
  },

  rewriteWords,

  addVectors(db, embedder, vectors) {
    const query = sql`
      INSERT INTO passage_vectors (passage_id, embedder_id, chatbot_id, build, vector)
      SELECT passages.id, embedders.id, chatbot_id, build, given.vector::halfvec
      FROM unnest(${vectors.map(({ id }) => id)}::bigint[], ${vectors.map(({ vector }) => fromHex(vector))}::text[])
        AS given (id, vector)
      JOIN passages ON passages.id = given.id JOIN embedders ON embedders.id = ${embedder.id}
      ON CONFLICT DO NOTHING`
    return runAtomically(db, [{ query: query.compile(db) }])
  },

  async createVectorTables() {},
  async dropVectorTables() {},
}

/** Takes locks in the order of a deletion: the passages, the counts of their chatbots, then the counts of the words. */
function rewriteWords(db: Database, passages: RewrittenPassage[]): UnitStatement[] {
  const given = sql`unnest(${passages.map(({ id }) => id)}::bigint[], ${passages.map(({ words }) => words)}::text[],
    ${passages.map(({ words }) => weightsOfPassage(words))}::text[]) AS given (id, words, weights)`
  const rewritten = sql`${given} JOIN passages USING (id)`
  const distinct = (words: string) =>
    sql`SELECT DISTINCT id, chatbot_id, left(word, ${sql.lit(MAX_WORD)}) AS word FROM ${rewritten},
      unnest(string_to_array(translate(${sql.ref(words)}, E'\\n', ' '), ' ')) AS word WHERE word <> ''`
  const statements = [
    sql`SELECT id FROM passages WHERE id IN (SELECT id FROM ${given}) ORDER BY id FOR UPDATE`,
    sql`UPDATE passage_counts SET length = passage_counts.length + changed.length
      FROM (SELECT chatbot_id, sum(length(given.words) - length(passages.words)) AS length FROM ${rewritten}
        GROUP BY chatbot_id) AS changed
      WHERE passage_counts.chatbot_id = changed.chatbot_id`,
    sql`MERGE INTO word_counts USING (
        SELECT chatbot_id, word, sum(change) AS passages FROM (
          SELECT *, 1 AS change FROM (${distinct('given.words')}) AS added
          UNION ALL SELECT *, -1 FROM (${distinct('passages.words')}) AS removed
        ) AS changes GROUP BY chatbot_id, word HAVING sum(change) <> 0 ORDER BY chatbot_id, word
      ) AS changed
      ON word_counts.chatbot_id = changed.chatbot_id AND word_counts.word = changed.word
      WHEN MATCHED AND word_counts.passages + changed.passages <= 0 THEN DELETE
      WHEN MATCHED THEN UPDATE SET passages = word_counts.passages + changed.passages
      WHEN NOT MATCHED THEN INSERT VALUES (changed.chatbot_id, changed.word, changed.passages)`,
    sql`UPDATE passage_words SET words = weights::sparsevec FROM ${given} WHERE passage_id = given.id`,
    sql`UPDATE passages SET words = given.words, analysis = ${sql.lit(ANALYSIS)} FROM ${given} WHERE passages.id = given.id`,
  ]
  return statements.map((statement) => ({ query: statement.compile(db) }))
}

/**
 * Uses literals, so that the planner can use the index of a large chatbot. Without an index PostgreSQL compares all
 * vectors.
 */
export async function findNear(
  searchDb: Database,
  chatbotId: string,
  question: QuestionVector,
): Promise<number[]> {
  const { id, dimensions } = question.embedder
  const { rows } = await sql<{ id: number }>`
    SELECT passage_id AS id FROM passage_vectors
    WHERE chatbot_id = ${sql.lit(chatbotId)} AND embedder_id = ${sql.lit(id)}
      AND ${isShown('passage_vectors', chatbotId)}
    ORDER BY vector::halfvec(${sql.lit(dimensions)}) <=> ${halfVector(question)}::halfvec
    LIMIT ${CANDIDATES_BY_MEANING}`.execute(searchDb)
  return rows.map((row) => row.id)
}

/** Excludes hidden builds. The list is read once per search. */
function isShown(table: 'passage_words' | 'passage_vectors', chatbotId: string) {
  return sql`${sql.ref(`${table}.build`)} <> ALL (ARRAY(
    SELECT build FROM hidden_builds WHERE hidden_builds.chatbot_id = ${chatbotId}))`
}

function halfVector({ vector }: QuestionVector): string {
  return `[${Array.from(vector, (value) => value.toFixed(5)).join(',')}]`
}

/**
 * Converts hexadecimal bytes, one for each dimension, to numbers. The scale is irrelevant, because only the direction
 * counts.
 */
function fromHex(digits: string): string {
  const bytes = Buffer.from(digits, 'hex')
  return `[${new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length).join(',')}]`
}
