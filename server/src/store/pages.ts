import type { Database } from '../database/database.ts'
import type { Row } from '../database/tables.ts'

export type Page = Row<'source_pages'>

export function listPages(db: Database, sourceId: string): Promise<Page[]> {
  return db.selectFrom('source_pages').selectAll().where('source_id', '=', sourceId).execute()
}

/** A page that is gone, with its passages. */
export async function deletePage(db: Database, { source_id, url }: Page): Promise<void> {
  await db
    .deleteFrom('passages')
    .where('source_id', '=', source_id)
    .where('page_url', '=', url)
    .execute()
  await db
    .deleteFrom('source_pages')
    .where('source_id', '=', source_id)
    .where('url', '=', url)
    .execute()
}
