import { sql, type UpdateObject } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../store/ids.ts'
import type { Page, StoredSitemap, Visit } from '../store/pages.ts'
import { progressOf, type Source, type SourceMeta } from '../store/sources.ts'
import type { Embeddings, PassageVector } from './embeddings.ts'
import {
  type Build,
  forgetHidden,
  forgetSomeHidden,
  hideBuild,
  showBuild,
} from './hidden-builds.ts'
import { markOf } from './search-words.ts'
import { insertVectors } from './vector-index.ts'

// What is embedded and written at once: others wait for it to be written, some thousandths of a second.
const BATCH_PASSAGES = 64
const BATCH_FORGOTTEN = 300

/** A piece of a source's text, with the words by which it is found. */
export interface IndexedPassage {
  start: number
  end: number
  /** Of a document that has pages, counted from 1. */
  page?: number
  /** What leads to it: its document's title and its headings, or a pair's question. */
  lead: string
  /** Analyzed: a line for the lead, and one for each sentence. */
  words: string
}

export interface Index {
  db: Database
  embeddings: Embeddings
  /** Ends the embedding of a long document early. */
  stopping: AbortSignal
}

/** A text and what it was cut into. */
export interface PassageContent {
  text: string
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
  hash: string
  passages: IndexedPassage[]
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
  const change = {
    ...doneAs(meta),
    title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
    file_size: fileSize,
    tokens,
  }
  const { db } = index
  return putInPlace(index, source, '', content, [whileClaimed(db, source, change)], (done) => ({
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
  return putInPlace(index, source, page.url, content, [
    whileClaimed(db, source, {}),
    { query: db.replaceInto('source_pages').values(row).compile() },
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
  finish: UnitStatement[],
  changeAfter: (done: number) => UpdateObject<Tables, 'sources'> = () => ({}),
): Promise<boolean> {
  const { db } = index
  const build: Build = { id: newId(), source, pageUrl }
  const { passages } = content
  let done = 0
  for (; passages.length - done > BATCH_PASSAGES; done += BATCH_PASSAGES) {
    const batch = await makeBatch(index, source, content, done, done + BATCH_PASSAGES)
    const isWritten = await runTogether(db, [
      whileClaimed(db, source, changeAfter(done + BATCH_PASSAGES)),
      ...(done === 0 ? [hideBuild(db, build)] : []),
      ...insertPassages(index, build, content.hash, batch),
    ])
    if (!isWritten) return false
  }
  const batch = await makeBatch(index, source, content, done, passages.length)
  const isPlaced = await runTogether(db, [
    ...finish,
    ...showBuild(db, build),
    insertRevision(db, source, content),
    ...insertPassages(index, build, content.hash, batch),
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
  const kept = visit && { query: db.replaceInto('source_visits').values(visit).compile() }
  return runTogether(db, kept ? [progress, kept] : [progress])
}

export function recordSitemap(
  db: Database,
  source: Source,
  sitemap: StoredSitemap,
): Promise<boolean> {
  const kept = { query: db.replaceInto('source_sitemaps').values(sitemap).compile() }
  return runTogether(db, [whileClaimed(db, source, {}), kept])
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
    ...doneAs(meta),
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
    .where(isGone('page_url', kept))
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
  table: 'source_pages' | 'source_visits' | 'source_sitemaps',
  source: Source,
  kept: Iterable<string>,
): UnitStatement {
  const all = db.deleteFrom(table).where('source_id', '=', source.id)
  return { query: all.where(isGone('url', kept)).compile() }
}

function isGone(column: string, kept: Iterable<string>) {
  return sql<boolean>`${sql.ref(column)} NOT IN (SELECT value FROM json_each(${JSON.stringify([...kept])}))`
}

/** Done, until it is to be read again: then its attempts count anew. */
function doneAs(meta: SourceMeta) {
  const hours = meta.refresh_hours
  const next =
    hours === undefined ? { due_at: null } : { due_at: Date.now() + hours * 3_600_000, attempts: 0 }
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

function insertRevision(
  db: Database,
  source: Source,
  { text, pages, hash }: PassageContent,
): UnitStatement {
  const row = {
    source_id: source.id,
    hash,
    // As the bytes that are stored: a string would be copied twice more on its way to the disk, at twice the size.
    text: sql<string>`CAST(${Buffer.from(text)} AS TEXT)`,
    pages: pages ? JSON.stringify(pages) : null,
    created_at: Date.now(),
  }
  const insert = db.insertInto('revisions').values(row)
  return { query: insert.onConflict((conflict) => conflict.doNothing()).compile() }
}

export interface Batch {
  from: number
  passages: (IndexedPassage & PassageVector & { text: string; gap: string })[]
}

async function makeBatch(
  { embeddings, stopping }: Index,
  { type }: Source,
  { text, passages }: PassageContent,
  from: number,
  to: number,
): Promise<Batch> {
  const cut = passages.slice(from, to).map((passage, i) => {
    const before = passages[from + i - 1]
    const gap = before ? text.slice(before.end, passage.start) : ''
    const isPair = type === 'qa'
    return { ...passage, gap, text: text.slice(passage.start, passage.end), isPair }
  })
  const vectors = await embeddings.embedPassages(cut, stopping)
  return { from, passages: cut.map((passage, i) => ({ ...passage, ...vectors[i]! })) }
}

export function insertPassages(
  { db, embeddings }: { db: Database; embeddings: Pick<Embeddings, 'registered'> },
  { id: build, source, pageUrl }: Build,
  revision: string,
  { from, passages }: Batch,
): UnitStatement[] {
  const rows = JSON.stringify(
    passages.map(({ start, end, text, page = null, gap, lead, words }) => [
      start,
      end,
      text,
      page,
      gap,
      lead,
      words,
    ]),
  )
  const vectors = JSON.stringify(passages.map(({ vector, signs }) => [vector, signs]))
  const mark = markOf(source.chatbot_id)
  // CROSS JOIN keeps SQLite from going through the passages first, and through the JSON again for each of them.
  const inserted = sql`CROSS JOIN passages ON passages.source_id = ${source.id} AND passages.page_url = ${pageUrl}
    AND passages.build = ${build} AND passages.position = ${from} + given.key`
  return [
    {
      query: sql`
        INSERT INTO passages (chatbot_id, source_id, revision, page_url, build, position, starts_at, ends_at, text,
          page, gap, lead, words)
        SELECT ${source.chatbot_id}, ${source.id}, ${revision}, ${pageUrl}, ${build}, ${from} + key, value ->> 0,
          value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
        FROM json_each(${rows})`.compile(db),
    },
    {
      query: sql`
        INSERT INTO passage_words (rowid, build, words)
        SELECT passages.id, build, ${mark} || replace(trim(replace(words, char(10), ' ')), ' ', ' ' || ${mark})
        FROM json_each(${vectors}) AS given ${inserted}`.compile(db),
    },
    ...insertVectors(
      db,
      embeddings.registered,
      sql`SELECT passages.id, chatbot_id, given.value ->> 0 AS vector, given.value ->> 1 AS signs
        FROM json_each(${vectors}) AS given ${inserted}`,
    ),
  ]
}
