import type { Database } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
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
