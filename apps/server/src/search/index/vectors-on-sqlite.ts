import { sql } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import type { QuestionVector, RegisteredEmbedder } from '../vectors/text-vectors.ts'
import { CANDIDATES_BY_MEANING } from './candidates.ts'

// Exact comparison uses the stored bytes. Only the sign bits find candidates: they take a 32nd of the floats to scan,
// and the nearest hundred by sign contain .97 to 1.0 of the nearest ten.
// A chatbot takes at least one chunk. Larger chunks make small chatbots expensive, smaller chunks make large chatbots
// slow.
const CHUNK = 256

/** Creates the table of signs, and a trigger that extends every cascade to it. */
export async function createVectorTables(
  db: Database,
  embedder: RegisteredEmbedder,
): Promise<void> {
  const { id, dimensions } = embedder
  await sql`
    CREATE VIRTUAL TABLE IF NOT EXISTS ${signsOf(embedder)} USING vec0 (
      chatbot_id TEXT PARTITION KEY, signs BIT[${sql.lit(dimensions)}], chunk_size = ${sql.lit(CHUNK)}
    )`.execute(db)
  await sql`
    CREATE TRIGGER IF NOT EXISTS ${sql.ref(`forget_signs_${id}`)}
    AFTER DELETE ON passage_vectors WHEN old.embedder_id = ${sql.lit(id)} BEGIN
      DELETE FROM ${signsOf(embedder)} WHERE rowid = old.passage_id;
    END`.execute(db)
}

export async function dropVectorTables(db: Database, embedder: RegisteredEmbedder): Promise<void> {
  await sql`DROP TRIGGER IF EXISTS ${sql.ref(`forget_signs_${embedder.id}`)}`.execute(db)
  await sql`DROP TABLE IF EXISTS ${signsOf(embedder)}`.execute(db)
}

/** Takes hexadecimal digits, which JSON can carry. `passages` is a query of id, chatbot_id, vector and signs. */
export function insertVectors(
  db: Database,
  embedder: RegisteredEmbedder,
  passages: ReturnType<typeof sql>,
): UnitStatement[] {
  return [
    {
      query: sql`
        INSERT INTO passage_vectors (passage_id, embedder_id, vector)
        SELECT id, ${embedder.id}, unhex(vector) FROM (${passages})`.compile(db),
    },
    {
      query: sql`
        INSERT INTO ${signsOf(embedder)} (rowid, chatbot_id, signs)
        SELECT id, chatbot_id, vec_bit(unhex(signs)) FROM (${passages})`.compile(db),
    },
  ]
}

/** Returns the ids of the passages of a chatbot whose vectors differ in the fewest signs. */
export async function findBySigns(
  searchDb: Database,
  chatbotId: string,
  { embedder, signs }: QuestionVector,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT rowid AS id FROM ${signsOf(embedder)}
    WHERE chatbot_id = ${chatbotId} AND signs MATCH vec_bit(${signs}) AND k = ${CANDIDATES_BY_MEANING}
  `.execute(searchDb)
  return rows.map(({ id }) => id)
}

function signsOf({ id }: Pick<RegisteredEmbedder, 'id'>) {
  return sql.table(`passage_signs_${id}`)
}
