import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { passageIndex } from '../index/choose-index.ts'
import type { RegisteredEmbedder } from './text-vectors.ts'

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
  await passageIndex(db).createVectorTables(db, row)
  return row
}

/** The embedder whose vectors are searched. */
export function getActiveEmbedder(db: Database): Promise<RegisteredEmbedder | undefined> {
  return db.selectFrom('embedders').selectAll().where('is_active', '=', 1).executeTakeFirst()
}

/** Activates an embedder and drops the vectors of all others. */
export async function activateEmbedder(db: Database, { id }: RegisteredEmbedder): Promise<void> {
  await db
    .updateTable('embedders')
    .set({ is_active: sql`CASE WHEN id = ${id} THEN 1 ELSE 0 END` })
    .execute()
  const others = await db.selectFrom('embedders').selectAll().where('id', '!=', id).execute()
  for (const other of others) await forgetEmbedder(db, other)
}

async function forgetEmbedder(db: Database, embedder: RegisteredEmbedder): Promise<void> {
  await passageIndex(db).dropVectorTables(db, embedder)
  await db.deleteFrom('embedders').where('id', '=', embedder.id).execute()
}

/** Returns one batch of passages without a vector of this embedder. */
export async function findUnembedded(db: Database, { id }: RegisteredEmbedder, limit: number) {
  const rows = await db
    .selectFrom('passages')
    .innerJoin('sources', 'sources.id', 'passages.source_id')
    .select(['passages.id', 'lead', 'text', 'sources.type'])
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
