import { sql } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'

export interface RegisteredEmbedder {
  id: number
  name: string
  dimensions: number
}

// Vectors are stored as bytes, for exact comparison, and found by their signs alone: a scan of signs reads a 32nd of
// what a scan of floats does, and among its nearest hundred are the nearest ten (.97 to 1.0 of them).
// A chatbot takes at least one chunk: larger ones make small chatbots expensive, smaller ones large chatbots slow.
const CHUNK = 256

/** Makes room for an embedder's vectors, unless there is. */
export async function registerEmbedder(
  db: Database,
  { name, dimensions }: Omit<RegisteredEmbedder, 'id'>,
): Promise<RegisteredEmbedder> {
  await db
    .insertInto('embedders')
    .values({ name, dimensions, is_active: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('embedders')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (row.dimensions !== dimensions) {
    await forgetEmbedder(db, row)
    return registerEmbedder(db, { name, dimensions })
  }
  await sql`
    CREATE VIRTUAL TABLE IF NOT EXISTS ${signsOf(row)} USING vec0 (
      chatbot_id TEXT PARTITION KEY, signs BIT[${sql.lit(dimensions)}], chunk_size = ${sql.lit(CHUNK)}
    )`.execute(db)
  await sql`
    CREATE TRIGGER IF NOT EXISTS ${sql.ref(`forget_signs_${row.id}`)}
    AFTER DELETE ON passage_vectors WHEN old.embedder_id = ${sql.lit(row.id)} BEGIN
      DELETE FROM ${signsOf(row)} WHERE rowid = old.passage_id;
    END`.execute(db)
  return row
}

/** The one whose vectors are searched. */
export function getActiveEmbedder(db: Database): Promise<RegisteredEmbedder | undefined> {
  return db.selectFrom('embedders').selectAll().where('is_active', '=', 1).executeTakeFirst()
}

/** Puts an embedder in the place of all others, whose vectors are dropped. */
export async function activateEmbedder(db: Database, { id }: RegisteredEmbedder): Promise<void> {
  await db
    .updateTable('embedders')
    .set({ is_active: sql`id = ${id}` })
    .execute()
  const others = await db.selectFrom('embedders').selectAll().where('id', '!=', id).execute()
  for (const other of others) await forgetEmbedder(db, other)
}

async function forgetEmbedder(db: Database, embedder: RegisteredEmbedder): Promise<void> {
  await sql`DROP TRIGGER IF EXISTS ${sql.ref(`forget_signs_${embedder.id}`)}`.execute(db)
  await sql`DROP TABLE IF EXISTS ${signsOf(embedder)}`.execute(db)
  await db.deleteFrom('embedders').where('id', '=', embedder.id).execute()
}

/** Given as hexadecimal digits, which JSON can carry. `passages` is a query of id, chatbot_id, vector and signs. */
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

/** The ids of the passages of a chatbot whose vectors differ in the fewest signs. */
export async function findBySigns(
  searchDb: Database,
  embedder: RegisteredEmbedder,
  chatbotId: string,
  signs: Uint8Array,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT rowid AS id FROM ${signsOf(embedder)}
    WHERE chatbot_id = ${chatbotId} AND signs MATCH vec_bit(${signs}) AND k = ${limit}
  `.execute(searchDb)
  return rows.map(({ id }) => id)
}

export interface PassageToEmbed {
  id: number
  chatbot_id: string
  lead: string
  text: string
  isPair: boolean
}

/** Passages that have no vector of this embedder, a batch of them. */
export async function findUnembedded(
  db: Database,
  { id }: RegisteredEmbedder,
  limit: number,
): Promise<PassageToEmbed[]> {
  const rows = await db
    .selectFrom('passages')
    .innerJoin('sources', 'sources.id', 'passages.source_id')
    .select(['passages.id', 'passages.chatbot_id', 'lead', 'text', 'sources.type'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('passage_vectors')
            .select('vector')
            .whereRef('passage_id', '=', 'passages.id')
            .where('embedder_id', '=', id),
        ),
      ),
    )
    .orderBy('passages.id')
    .limit(limit)
    .execute()
  return rows.map(({ type, ...row }) => ({ ...row, isPair: type === 'qa' }))
}

/** Of passages that are already in place. One that was deleted meanwhile is left out. */
export function addVectors(
  db: Database,
  embedder: RegisteredEmbedder,
  vectors: { id: number; vector: string; signs: string }[],
): Promise<boolean> {
  const given = JSON.stringify(vectors.map(({ id, vector, signs }) => [id, vector, signs]))
  const passages = sql`
    SELECT passages.id, chatbot_id, value ->> 1 AS vector, value ->> 2 AS signs
    FROM json_each(${given}) CROSS JOIN passages ON passages.id = value ->> 0`
  return runTogether(db, insertVectors(db, embedder, passages))
}

export async function countVectors(db: Database, { id }: RegisteredEmbedder) {
  const { passages } = await db
    .selectFrom('passages')
    .select((eb) => eb.fn.countAll<number>().as('passages'))
    .executeTakeFirstOrThrow()
  const { embedded } = await db
    .selectFrom('passage_vectors')
    .select((eb) => eb.fn.countAll<number>().as('embedded'))
    .where('embedder_id', '=', id)
    .executeTakeFirstOrThrow()
  return { passages: Number(passages), embedded: Number(embedded) }
}

function signsOf({ id }: Pick<RegisteredEmbedder, 'id'>) {
  return sql.table(`passage_signs_${id}`)
}
