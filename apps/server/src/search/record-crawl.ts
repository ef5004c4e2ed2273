import { sql } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import { listOf } from '../database/dialect.ts'
import { doneAs, whileClaimed } from '../features/sources/claimed-source.store.ts'
import {
  replaceRow,
  type StoredSitemap,
  type TableByUrl,
  type Visit,
} from '../features/sources/pages.store.ts'
import type { Source, SourceMeta } from '../features/sources/sources.store.ts'
import { BATCH_FORGOTTEN } from './hidden-builds.ts'

/** Stores the result of a visit and the progress of the crawl. */
export function recordVisit(
  db: Database,
  source: Source,
  meta: SourceMeta,
  visit: Visit | undefined,
): Promise<boolean> {
  const progress = whileClaimed(db, source, { meta: JSON.stringify(meta) })
  const kept = visit && replaceRow(db, 'source_visits', visit)
  return runTogether(db, kept ? [progress, kept] : [progress])
}

export function recordSitemap(
  db: Database,
  source: Source,
  sitemap: StoredSitemap,
): Promise<boolean> {
  return runTogether(db, [whileClaimed(db, source, {}), replaceRow(db, 'source_sitemaps', sitemap)])
}

/** The addresses of a site that still exist. */
export interface Remaining {
  pages: Iterable<string>
  visits: Iterable<string>
  sitemaps: Iterable<string>
}

/**
 * Marks a site as read and deletes what is gone. The site's size is the sum of its pages. Its title is that of the
 * first page, unless the user chose one.
 */
export async function finishCrawl(
  db: Database,
  source: Source,
  meta: SourceMeta,
  { pages, visits, sitemaps }: Remaining,
  pauseMs: number,
): Promise<boolean> {
  if (!(await forgetGonePages(db, source, pages))) return false
  const ofPages = (column: 'tokens' | 'file_size') =>
    sql<number>`(SELECT coalesce(sum(${sql.ref(column)}), 0) FROM source_pages WHERE source_id = ${source.id})`
  const title = sql<string>`coalesce(
    (SELECT title FROM source_pages WHERE source_id = ${source.id} ORDER BY length(url), url LIMIT 1), title)`
  const change = {
    ...doneAs(db, 'success', meta, pauseMs),
    title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
    tokens: ofPages('tokens'),
    file_size: ofPages('file_size'),
  }
  return runTogether(db, [
    whileClaimed(db, source, change),
    forgetGone(db, 'source_visits', source, visits),
    forgetGone(db, 'source_sitemaps', source, sitemaps),
  ])
}

/**
 * Works in batches. Deletes the pages first, so that a page that returns before its passages are gone is read again.
 */
async function forgetGonePages(
  db: Database,
  source: Source,
  kept: Iterable<string>,
): Promise<boolean> {
  const gone = db
    .selectFrom('passages')
    .select('id')
    .where('source_id', '=', source.id)
    .where(isGone(db, 'page_url', kept))
    .limit(BATCH_FORGOTTEN)
  const forget = db.deleteFrom('passages').where('id', 'in', gone)
  const forgetPages = forgetGone(db, 'source_pages', source, kept)
  let isHeld = await runTogether(db, [whileClaimed(db, source, {}), forgetPages])
  while (isHeld && (await gone.executeTakeFirst()))
    isHeld = await runTogether(db, [whileClaimed(db, source, {}), { query: forget.compile() }])
  return isHeld
}

function forgetGone(
  db: Database,
  table: TableByUrl,
  source: Source,
  kept: Iterable<string>,
): UnitStatement {
  const all = db.deleteFrom(table).where('source_id', '=', source.id)
  return { query: all.where(isGone(db, 'url', kept)).compile() }
}

function isGone(db: Database, column: string, kept: Iterable<string>) {
  return sql<boolean>`${sql.ref(column)} NOT IN ${listOf(db, kept)}`
}
