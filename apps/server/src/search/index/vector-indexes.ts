import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { hiddenChatbots } from '../../features/owners/deleted-chatbots.store.ts'
import type { RegisteredEmbedder } from '../embeddings/text-vectors.ts'

// Up to here every vector of a chatbot is compared, which is exact and takes some 25 ms. Beyond, a chatbot gets an index of
// its own: one for all chatbots would have to be searched through the vectors of all others.
export const MANY_PASSAGES = 20_000

const BEGINNING = 'near_'

interface NearIndex {
  name: string
  embedder: number
  chatbot: string
}

/** Makes the indexes that large chatbots lack, and removes those that nobody needs any more. Returns what it changed. */
export async function tendNearIndexes(
  db: Database,
  { id: embedder, dimensions }: RegisteredEmbedder,
  many = MANY_PASSAGES,
): Promise<{ made: string[]; removed: string[] }> {
  const { rows: large } = await sql<{ chatbot: string }>`
    SELECT chatbot_id AS chatbot FROM passage_counts
    WHERE passages > ${many} AND chatbot_id NOT IN (${hiddenChatbots(db)})`.execute(db)
  const there = await listNearIndexes(db)
  const isNeeded = (index: NearIndex) =>
    index.embedder === embedder && large.some(({ chatbot }) => chatbot === index.chatbot)
  const needless = there.filter((index) => !isNeeded(index))
  // Searches go on meanwhile, and so do writes.
  for (const { name } of needless)
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db)
  const missing = large.filter(
    ({ chatbot }) => !there.some((index) => isNeeded(index) && index.chatbot === chatbot),
  )
  const made = missing.map(({ chatbot }) => `${BEGINNING}${embedder}_${chatbot}`)
  for (const [i, { chatbot }] of missing.entries()) {
    await sql`
      CREATE INDEX CONCURRENTLY ${sql.id(made[i]!)} ON passage_vectors
      USING hnsw ((vector::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)
      WHERE embedder_id = ${sql.lit(embedder)} AND chatbot_id = ${sql.lit(chatbot)}`.execute(db)
  }
  return { made, removed: needless.map(({ name }) => name) }
}

/**
 * One whose making was cut off is of no use, and counts as one that nobody needs. The server goes on making one when the
 * node that asked for it is gone.
 */
async function listNearIndexes(db: Database): Promise<NearIndex[]> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    SELECT class.relname AS name,
      indisvalid OR EXISTS (SELECT FROM pg_stat_progress_create_index WHERE index_relid = indexrelid) AS valid
    FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid
    WHERE indrelid = 'passage_vectors'::regclass AND starts_with(class.relname, ${BEGINNING})`.execute(
    db,
  )
  return rows.map(({ name, valid }) => {
    const [, embedder, chatbot = ''] = name.split('_')
    return { name, embedder: valid ? Number(embedder) : -1, chatbot }
  })
}
