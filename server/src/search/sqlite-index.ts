import { sql, type UpdateObject } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Page, StoredSitemap, Visit } from '../store/pages.ts'
import type { Source, SourceMeta } from '../store/sources.ts'

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
 * Puts a source's passages in place of those it had and marks it done, in one write: until then the old ones serve.
 * False when the source was deleted, restarted or taken over meanwhile; then nothing is changed.
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
  return runTogether(db, [
    whileClaimed(db, source, change),
    { query: db.deleteFrom('passages').where('source_id', '=', source.id).compile() },
    ...insertPassages(db, source, '', content),
  ])
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
  return runTogether(db, [
    whileClaimed(db, source, {}),
    {
      query: db
        .deleteFrom('passages')
        .where('source_id', '=', source.id)
        .where('page_url', '=', page.url)
        .compile(),
    },
    { query: db.replaceInto('source_pages').values(row).compile() },
    ...insertPassages(db, source, page.url, content),
  ])
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
export function finishCrawl(
  db: Database,
  source: Source,
  meta: SourceMeta,
  remaining: Remaining,
): Promise<boolean> {
  const isGone = (column: string, kept: Iterable<string>) =>
    sql<boolean>`${sql.ref(column)} NOT IN (SELECT value FROM json_each(${JSON.stringify([...kept])}))`
  const forget = (table: 'passages' | 'source_pages' | 'source_visits' | 'source_sitemaps') =>
    db.deleteFrom(table).where('source_id', '=', source.id)
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
  const { pages, visits, sitemaps } = remaining
  return runTogether(db, [
    { query: forget('passages').where(isGone('page_url', pages)).compile() },
    { query: forget('source_pages').where(isGone('url', pages)).compile() },
    { query: forget('source_visits').where(isGone('url', visits)).compile() },
    { query: forget('source_sitemaps').where(isGone('url', sitemaps)).compile() },
    whileClaimed(db, source, change),
  ])
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

function insertPassages(
  db: Database,
  source: Source,
  pageUrl: string,
  { text, pages, hash, passages }: PassageContent,
): UnitStatement[] {
  const rows = JSON.stringify(
    passages.map(({ start, end, words, aside = '', page = null }) => [
      start,
      end,
      text.slice(start, end),
      words,
      page,
      aside,
    ]),
  )
  return [
    {
      query: db
        .insertInto('revisions')
        .values({
          source_id: source.id,
          hash,
          text,
          pages: pages ? JSON.stringify(pages) : null,
          created_at: Date.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    },
    {
      query: sql`
        INSERT INTO passages (chatbot_id, source_id, revision, page_url, position, starts_at, ends_at, text, page)
        SELECT ${source.chatbot_id}, ${source.id}, ${hash}, ${pageUrl}, key, value ->> 0, value ->> 1, value ->> 2,
          value ->> 4
        FROM json_each(${rows})`.compile(db),
    },
    {
      // CROSS JOIN keeps SQLite from going through the passages first, and through the JSON again for each of them.
      query: sql`
        INSERT INTO passage_words (rowid, chatbot, body, aside)
        SELECT passages.id, passages.chatbot_id, given.value ->> 3, given.value ->> 5
        FROM json_each(${rows}) AS given
        CROSS JOIN passages ON passages.source_id = ${source.id} AND passages.page_url = ${pageUrl}
          AND passages.position = given.key`.compile(db),
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
  const { rows } = await sql<FoundPassage>`
    SELECT passages.id AS passage_id, passages.source_id, passages.revision, starts_at, ends_at, text, page,
      -found.score AS score,
      coalesce(source_pages.title, sources.title) AS title, sources.type, sources.file_name, sources.meta, page_url
    FROM (
      SELECT rowid, bm25(passage_words, 0.0, 1.0, 0.3) AS score FROM passage_words
      WHERE passage_words MATCH ${`chatbot : "${chatbotId}" AND {body aside} : (${words})`}
      ORDER BY score LIMIT ${limit}
    ) AS found
    JOIN passages ON passages.id = found.rowid
    JOIN sources ON sources.id = passages.source_id
    LEFT JOIN source_pages ON source_pages.source_id = passages.source_id AND source_pages.url = page_url
    ORDER BY score DESC, passages.id`.execute(searchDb)
  return rows
}
