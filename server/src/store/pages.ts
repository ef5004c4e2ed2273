import type { Database } from '../database/database.ts'
import type { Row } from '../database/tables.ts'

export type Page = Row<'source_pages'>
export type Visit = Row<'source_visits'>
export type StoredSitemap = Row<'source_sitemaps'>

export function listPages(db: Database, sourceId: string): Promise<Page[]> {
  return db.selectFrom('source_pages').selectAll().where('source_id', '=', sourceId).execute()
}

export function listVisits(db: Database, sourceId: string): Promise<Visit[]> {
  return db.selectFrom('source_visits').selectAll().where('source_id', '=', sourceId).execute()
}

export function listSitemaps(db: Database, sourceId: string): Promise<StoredSitemap[]> {
  return db.selectFrom('source_sitemaps').selectAll().where('source_id', '=', sourceId).execute()
}
