import { sql, type UpdateObject } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../store/ids.ts'
import type { Page } from '../store/pages.ts'
import { progressOf, type Source, type SourceMeta } from '../store/sources.ts'
import {
  type Build,
  forgetHidden,
  forgetSomeHidden,
  hideBuild,
  showBuild,
  withoutHidden,
} from './hidden-builds.ts'

// What is written at once: others wait for so long, some hundredths of a second.
const BATCH_PASSAGES = 300
// What goes into one statement: short strings are cleared away soon, long ones pile up until the next great cleaning.
const STATEMENT_PASSAGES = 50

/** A piece of a source's text, with the words by which it is found. */
export interface IndexedPassage {
  start: number
  end: number
  /** Of a document that has pages, counted from 1. */
  page?: number
  /** Analyzed, with a space between any two. */
  words: string
  /** More words that lead here, but say less about it: those of a pair's answer. */
  aside?: string
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
  db: Database,
  source: Source,
  { title, fileSize, tokens, meta, ...content }: IndexedText,
): Promise<boolean> {
  const change = {
    ...doneAs(meta),
    title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
    file_size: fileSize,
    tokens,
  }
  return putInPlace(db, source, '', content, [whileClaimed(db, source, change)], (done) => ({
    meta: JSON.stringify({ ...meta, ...progressOf('passages', done, content.passages.length) }),
  }))
}

/** The same for one page of a site. The site itself goes on being read. */
export function replacePagePassages(
  db: Database,
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
  return putInPlace(db, source, page.url, content, [
    whileClaimed(db, source, {}),
    { query: db.replaceInto('source_pages').values(row).compile() },
  ])
}

/**
 * Batch by batch, so that others can write in between; hidden until the last one, which makes all of them appear and
 * the old ones disappear.
 */
async function putInPlace(
  db: Database,
  source: Source,
  pageUrl: string,
  content: PassageContent,
  finish: UnitStatement[],
  changeAfter: (done: number) => UpdateObject<Tables, 'sources'> = () => ({}),
): Promise<boolean> {
  const build: Build = { id: newId(), source, pageUrl }
  const { passages } = content
  let done = 0
  for (; passages.length - done > BATCH_PASSAGES; done += BATCH_PASSAGES) {
    const isWritten = await runTogether(db, [
      whileClaimed(db, source, changeAfter(done + BATCH_PASSAGES)),
      ...(done === 0 ? [hideBuild(db, build)] : []),
      ...insertPassages(db, build, content, done, done + BATCH_PASSAGES),
    ])
    if (!isWritten) return false
  }
  const isPlaced = await runTogether(db, [
    ...finish,
    ...showBuild(db, build),
    insertRevision(db, source, content),
    ...insertPassages(db, build, content, done, passages.length),
    ...forgetSomeHidden(db),
  ])
  if (isPlaced) await forgetHidden(db)
  return isPlaced
}

/** Marks a site as read: its size is that of its pages, its title that of the first one, unless somebody chose one. */
export function finishCrawl(db: Database, source: Source, meta: SourceMeta): Promise<boolean> {
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
  return runTogether(db, [whileClaimed(db, source, change)])
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

function* insertPassages(
  db: Database,
  build: Build,
  content: PassageContent,
  from: number,
  to: number,
): Generator<UnitStatement> {
  for (let start = from; start < to; start += STATEMENT_PASSAGES) {
    yield* insertRows(db, build, content, start, Math.min(start + STATEMENT_PASSAGES, to))
  }
}

function insertRows(
  db: Database,
  { id: build, source, pageUrl }: Build,
  { text, hash, passages }: PassageContent,
  from: number,
  to: number,
): UnitStatement[] {
  const batch = passages.slice(from, to)
  const rows = JSON.stringify(
    batch.map(({ start, end, page = null }) => [start, end, text.slice(start, end), page]),
  )
  const words = JSON.stringify(batch.map(({ words, aside = '' }) => [words, aside]))
  return [
    {
      query: sql`
        INSERT INTO passages (chatbot_id, source_id, revision, page_url, build, position, starts_at, ends_at, text, page)
        SELECT ${source.chatbot_id}, ${source.id}, ${hash}, ${pageUrl}, ${build}, ${from} + key, value ->> 0,
          value ->> 1, value ->> 2, value ->> 3
        FROM json_each(${rows})`.compile(db),
    },
    {
      // CROSS JOIN keeps SQLite from going through the passages first, and through the JSON again for each of them.
      query: sql`
        INSERT INTO passage_words (rowid, chatbot, body, aside)
        SELECT passages.id, passages.chatbot_id || ' ' || passages.build, given.value ->> 0, given.value ->> 1
        FROM json_each(${words}) AS given
        CROSS JOIN passages ON passages.source_id = ${source.id} AND passages.page_url = ${pageUrl}
          AND passages.build = ${build} AND passages.position = ${from} + given.key`.compile(db),
    },
  ]
}

export interface FoundPassage {
  passage_id: number
  source_id: string
  revision: string
  starts_at: number
  ends_at: number
  text: string
  page: number | null
  /** Higher is better. */
  score: number
  title: string
  type: Source['type']
  file_name: string
  meta: string
  /** Empty unless the source is a whole site. */
  page_url: string
}

/** The passages of a chatbot that share words with the question, best first. */
export async function findByWords(
  searchDb: Database,
  chatbotId: string,
  terms: string[],
  limit: number,
): Promise<FoundPassage[]> {
  if (terms.length === 0) return []
  const words = terms.map((term) => `"${term}"`).join(' OR ')
  const wanted = `(chatbot : "${chatbotId}" AND {body aside} : (${words}))`
  const { rows } = await sql<FoundPassage>`
    SELECT passages.id AS passage_id, passages.source_id, passages.revision, starts_at, ends_at, text, page,
      -found.score AS score,
      coalesce(source_pages.title, sources.title) AS title, sources.type, sources.file_name, sources.meta, page_url
    FROM (
      SELECT rowid, bm25(passage_words, 0.0, 1.0, 0.3) AS score FROM passage_words
      WHERE passage_words MATCH ${wanted} || ${withoutHidden(chatbotId)}
      ORDER BY score LIMIT ${limit}
    ) AS found
    JOIN passages ON passages.id = found.rowid
    JOIN sources ON sources.id = passages.source_id
    LEFT JOIN source_pages ON source_pages.source_id = passages.source_id AND source_pages.url = page_url
    ORDER BY score DESC, passages.id`.execute(searchDb)
  return rows
}
