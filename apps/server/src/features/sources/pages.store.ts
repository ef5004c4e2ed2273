import type { InsertObject } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'

export type Page = Row<'source_pages'>
export type Visit = Row<'source_visits'>
export type StoredSitemap = Row<'source_sitemaps'>

/** A visit of a page whose text is not known yet. */
export function newVisit(
  { id: source_id }: Pick<Row<'sources'>, 'id'>,
  reader: string,
  { url, etag, last_modified }: Pick<Visit, 'url' | 'etag' | 'last_modified'>,
): Visit {
  const nothing = { links: '[]', leads_to: '', revision: '', page_url: '' }
  return { source_id, url, etag, last_modified, reader, ...nothing }
}

export function listPages(db: Database, sourceId: string): Promise<Page[]> {
  return db.selectFrom('source_pages').selectAll().where('source_id', '=', sourceId).execute()
}

export function listVisits(db: Database, sourceId: string): Promise<Visit[]> {
  return db.selectFrom('source_visits').selectAll().where('source_id', '=', sourceId).execute()
}

export function listSitemaps(db: Database, sourceId: string): Promise<StoredSitemap[]> {
  return db.selectFrom('source_sitemaps').selectAll().where('source_id', '=', sourceId).execute()
}

export type TableByUrl = 'source_pages' | 'source_visits' | 'source_sitemaps'

/** Replaces the visit of a page, even if the page had another address before. */
export function replaceVisits(db: Database, visit: Visit): UnitStatement[] {
  const before = db.deleteFrom('source_visits').where('source_id', '=', visit.source_id)
  return [{ query: before.compile() }, replaceRow(db, 'source_visits', visit)]
}

/** Inserts or replaces the row of an address. */
export function replaceRow<Table extends TableByUrl>(
  db: Database,
  table: Table,
  row: Tables[Table],
): UnitStatement {
  const values = row as InsertObject<Tables, Table>
  const insert = db.insertInto(table).values(values)
  const replaced = insert.onConflict((conflict) =>
    conflict.columns(['source_id', 'url'] as never).doUpdateSet(values as never),
  )
  return { query: replaced.compile() }
}
