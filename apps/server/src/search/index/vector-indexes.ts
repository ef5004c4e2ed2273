import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { hiddenChatbots } from '../../features/owners/deleted-chatbots.store.ts'
import type { RegisteredEmbedder } from '../vectors/text-vectors.ts'

// Up to this size every vector of a chatbot is compared, which is exact and takes some 25 ms. A larger chatbot gets its
// own index, because a search in a shared index would read the vectors of all chatbots.
export const MANY_PASSAGES = 20_000

const BEGINNING = 'near_'

interface NearIndex {
  name: string
  embedder: number
  chatbot: string
}

/** Creates the indexes that large chatbots lack and drops unneeded ones. Returns the changes. */
export async function updateVectorIndexes(
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
  // CONCURRENTLY lets searches and writes continue.
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
 * An index whose creation was interrupted is useless and counts as unneeded. PostgreSQL continues to create an index
 * after the requesting node is gone, so an index in progress counts as valid.
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
