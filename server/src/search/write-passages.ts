import { type InsertObject, sql, type UpdateObject } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import { fromNow, listOf } from '../database/dialect.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../store/ids.ts'
import type { PackedText } from '../store/packed-text.ts'
import type { Page, StoredSitemap, Visit } from '../store/pages.ts'
import { hasRevision, insertRevision } from '../store/revisions.ts'
import { progressOf, type Source, type SourceMeta } from '../store/sources.ts'
import type { Embeddings } from './embeddings.ts'
import {
  BATCH_FORGOTTEN,
  type Build,
  forgetHidden,
  forgetSomeHidden,
  hideBuild,
  showBuild,
} from './hidden-builds.ts'
import { type Batch, type PassageList, passageIndex } from './passage-index.ts'

// What is embedded and written at once: others wait for it to be written, some thousandths of a second.
const BATCH_PASSAGES = 64

export interface Index {
  db: Database
  embeddings: Embeddings
  /** Ends the embedding of a long document early. */
  stopping: AbortSignal
}

/** A text and what it was cut into. */
export interface PassageContent {
  text: PackedText
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
  hash: string
  passages: PassageList
}

export interface IndexedText extends PassageContent {
  title: string
  fileSize: number
  tokens: number
  meta: SourceMeta
}

/**
 * Puts a source's passages in place of those it had and marks it done: until then the old ones serve. False when the
 * source was deleted, restarted or taken over meanwhile; then nothing is changed.
 */
export function replacePassages(
  index: Index,
  source: Source,
  { title, fileSize, tokens, meta, ...content }: IndexedText,
): Promise<boolean> {
  const { db } = index
  const change = {
    ...doneAs(db, meta),
    title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
    file_size: fileSize,
    tokens,
  }
  const finish = () => [whileClaimed(db, source, change)]
  return putInPlace(index, source, '', content, finish, (done) => ({
    meta: JSON.stringify({ ...meta, ...progressOf('passages', done, content.passages.length) }),
  }))
}

/** The same for one page of a site. The site itself goes on being read. */
export function replacePagePassages(
  index: Index,
  source: Source,
  page: Omit<Page, 'source_id' | 'fetched_at' | 'revision'>,
  content: PassageContent,
): Promise<boolean> {
  const row: Page = {
    ...page,
    source_id: source.id,
    revision: content.hash,
    fetched_at: Date.now(),
  }
  const { db } = index
  return putInPlace(index, source, page.url, content, () => [
    whileClaimed(db, source, {}),
    replaceRow(db, 'source_pages', row),
  ])
}

/**
 * Batch by batch, so that others can write in between; hidden until the last one, which makes all of them appear and
 * the old ones disappear.
 */
async function putInPlace(
  index: Index,
  source: Source,
  pageUrl: string,
  content: PassageContent,
  finish: () => UnitStatement[],
  changeAfter: (done: number) => UpdateObject<Tables, 'sources'> = () => ({}),
): Promise<boolean> {
  const { db } = index
  const embedder = index.embeddings.registered
  const { insertPassages } = passageIndex(db)
  const build: Build = { id: newId(), source, pageUrl }
  const { passages } = content
  let done = 0
  let next = makeBatch(index, source, content, done)
  for (; passages.length - done > BATCH_PASSAGES; done += BATCH_PASSAGES) {
    const batch = await next
    // The next one is embedded while this one is written. Nobody may ask for it any more.
    next = makeBatch(index, source, content, done + BATCH_PASSAGES)
    next.catch(() => {})
    const isWritten = await runTogether(db, [
      whileClaimed(db, source, changeAfter(done + BATCH_PASSAGES)),
      ...(done === 0 ? [hideBuild(db, build)] : []),
      ...insertPassages(db, embedder, build, content.hash, batch),
    ])
    if (!isWritten) return false
  }
  const batch = await next
  const isKnown = await hasRevision(db, source.id, content.hash)
  const revision = isKnown ? [] : insertRevision(db, source.id, content)
  const isPlaced = await runTogether(db, [
    ...finish(),
    ...showBuild(db, build),
    ...revision,
    ...insertPassages(db, embedder, build, content.hash, batch),
    ...forgetSomeHidden(db),
  ])
  if (isPlaced) await forgetHidden(db)
  return isPlaced
}

/** Keeps what was found at an address of a site, and how far the reading of the site has come. */
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

/** What of a site is still there, by address. */
export interface Remaining {
  pages: Iterable<string>
  visits: Iterable<string>
  sitemaps: Iterable<string>
}

/**
 * Marks a site as read and forgets what is gone. Its size is that of its pages, its title that of the first one, unless
 * somebody chose one.
 */
export async function finishCrawl(
  db: Database,
  source: Source,
  meta: SourceMeta,
  { pages, visits, sitemaps }: Remaining,
): Promise<boolean> {
  if (!(await forgetGonePages(db, source, pages))) return false
  const ofPages = (column: 'tokens' | 'file_size') =>
    sql<number>`(SELECT coalesce(sum(${sql.ref(column)}), 0) FROM source_pages WHERE source_id = ${source.id})`
  const title = sql<string>`coalesce(
    (SELECT title FROM source_pages WHERE source_id = ${source.id} ORDER BY length(url), url LIMIT 1), title)`
  const change = {
    ...doneAs(db, meta),
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

/** Batch by batch, too. The pages first: one that is back before all of its passages are gone is then read anew. */
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

type TableByUrl = 'source_pages' | 'source_visits' | 'source_sitemaps'

function replaceRow<Table extends TableByUrl>(
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

/** Done, until it is to be read again: then its attempts count anew. */
function doneAs(db: Database, meta: SourceMeta) {
  const hours = meta.refresh_hours
  const next =
    hours === undefined ? { due_at: null } : { due_at: fromNow(db, hours * 3_600_000), attempts: 0 }
  return { status: 'success' as const, meta: JSON.stringify(meta), claim_id: null, ...next }
}

/** Changes a source that this worker holds; otherwise undoes what it runs together with. */
function whileClaimed(
  db: Database,
  source: Source,
  change: UpdateObject<Tables, 'sources'>,
): UnitStatement {
  return {
    mustReturn: true,
    query: db
      .updateTable('sources')
      .set({ ...change, modified_at: Date.now() })
      .where('id', '=', source.id)
      .where('claim_id', '=', source.claim_id)
      .returning('id')
      .compile(),
  }
}

async function makeBatch(
  { embeddings, stopping }: Index,
  { type }: Source,
  { text, passages }: PassageContent,
  from: number,
): Promise<Batch> {
  const to = from + BATCH_PASSAGES
  let [before] = from === 0 ? [] : passages.slice(from - 1, from)
  const cut = passages.slice(from, to).map((passage) => {
    const gap = before ? text.slice(before.end, passage.start) : ''
    const isPair = type === 'qa'
    before = passage
    return { ...passage, gap, text: text.slice(passage.start, passage.end), isPair }
  })
  const vectors = await embeddings.embedPassages(cut, stopping)
  return { from, passages: cut.map((passage, i) => ({ ...passage, ...vectors[i]! })) }
}
