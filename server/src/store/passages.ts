import type { Database } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import { notFound } from '../errors.ts'
import type { Owned } from './owned.ts'
import type { Source } from './sources.ts'

export type Passage = Row<'passages'>

export interface PassageList {
  limit?: number | undefined
  after?: number | undefined
}

/** What a source became, in the order in which it was read. */
export function listPassages(
  db: Database,
  source: Owned<Source>,
  { limit, after }: PassageList,
): Promise<Passage[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where('source_id', '=', source.id)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('id')
    .execute()
}

/** The text of a source as it was when something was cited from it. */
export async function getRevisionText(
  db: Database,
  source: Owned<Source>,
  hash: string,
): Promise<string> {
  const revision = await db
    .selectFrom('revisions')
    .select('text')
    .where('source_id', '=', source.id)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!revision) throw notFound('revision')
  return revision.text
}
