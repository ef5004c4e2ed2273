import { sql } from 'kysely'
import { type Database, runTogether } from '../database/database.ts'
import type { Source, SourceMeta } from '../store/sources.ts'

/** A piece of a source's text, with the words by which it is found. */
export interface IndexedPassage {
  start: number
  end: number
  /** Of a document that has pages, counted from 1. */
  page?: number
  /** Analyzed, with a space between any two. */
  words: string
}

export interface IndexedText {
  title: string
  text: string
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
  hash: string
  fileSize: number
  tokens: number
  meta: SourceMeta
  passages: IndexedPassage[]
}

/**
 * Puts a source's passages in place of those it had and marks it done, in one write: until then the old ones serve.
 * False when the source was deleted, restarted or taken over meanwhile; then nothing is changed.
 */
export function replacePassages(
  db: Database,
  source: Source,
  { title, text, pages, hash, fileSize, tokens, meta, passages }: IndexedText,
): Promise<boolean> {
  const now = Date.now()
  const rows = JSON.stringify(
    passages.map(({ start, end, words, page = null }) => [
      start,
      end,
      text.slice(start, end),
      words,
      page,
    ]),
  )
  return runTogether(db, [
    {
      mustReturn: true,
      query: db
        .updateTable('sources')
        .set({
          title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
          status: 'success',
          file_size: fileSize,
          tokens,
          meta: JSON.stringify(meta),
          due_at: null,
          claim_id: null,
          modified_at: now,
        })
        .where('id', '=', source.id)
        .where('claim_id', '=', source.claim_id)
        .returning('id')
        .compile(),
    },
    { query: db.deleteFrom('passages').where('source_id', '=', source.id).compile() },
    {
      query: db
        .insertInto('revisions')
        .values({
          source_id: source.id,
          hash,
          text,
          pages: pages ? JSON.stringify(pages) : null,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    },
    {
      query: sql`
        INSERT INTO passages (chatbot_id, source_id, revision, position, starts_at, ends_at, text, page)
        SELECT ${source.chatbot_id}, ${source.id}, ${hash}, key, value ->> 0, value ->> 1, value ->> 2,
          value ->> 4
        FROM json_each(${rows})`.compile(db),
    },
    {
      // CROSS JOIN keeps SQLite from going through the passages first, and through the JSON again for each of them.
      query: sql`
        INSERT INTO passage_words (rowid, chatbot, body)
        SELECT passages.id, passages.chatbot_id, given.value ->> 3
        FROM json_each(${rows}) AS given
        CROSS JOIN passages ON passages.source_id = ${source.id} AND passages.position = given.key`.compile(
        db,
      ),
    },
  ])
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
    SELECT passages.id AS passage_id, source_id, revision, starts_at, ends_at, text, page, -found.score AS score,
      sources.title, sources.type, sources.file_name, sources.meta
    FROM (
      SELECT rowid, bm25(passage_words, 0.0, 1.0) AS score FROM passage_words
      WHERE passage_words MATCH ${`chatbot : "${chatbotId}" AND body : (${words})`}
      ORDER BY score LIMIT ${limit}
    ) AS found
    JOIN passages ON passages.id = found.rowid
    JOIN sources ON sources.id = passages.source_id
    ORDER BY score DESC, passages.id`.execute(searchDb)
  return rows
}
