import type { Database, UnitStatement } from '../../database/database.ts'
import { type PackedText, PIECE_CHARACTERS, unpackText } from '../../database/rows/packed-text.ts'

export interface NewRevision {
  hash: string
  text: PackedText
  /** Where each page begins in the text, for documents with pages. */
  pages?: number[] | null
}

/** Stores a short text in the row. Stores a long text in pieces that were packed where it was read. */
export function insertRevision(
  db: Database,
  source_id: string,
  { hash, text, pages }: NewRevision,
  created_at = Date.now(),
): UnitStatement[] {
  const isLong = text.length > PIECE_CHARACTERS
  const row = {
    source_id,
    hash,
    text: isLong ? '' : text.slice(0, text.length),
    pages: pages ? JSON.stringify(pages) : null,
    created_at,
  }
  // Two pages of a site may have the same text and be written at the same time.
  const rows = db
    .insertInto('revisions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  const pieces = isLong ? text.pieces : []
  return [
    { query: rows.compile() },
    ...pieces.map(({ start, packed }) => {
      const insert = db
        .insertInto('revision_pieces')
        .values({ source_id, hash, starts_at: start, packed })
        .onConflict((conflict) => conflict.doNothing())
      return { query: insert.compile() }
    }),
  ]
}

export const WHOLE = { start: 0, end: Number.MAX_SAFE_INTEGER }

export async function hasRevision(db: Database, sourceId: string, hash: string): Promise<boolean> {
  const revision = await db
    .selectFrom('revisions')
    .select('hash')
    .where('source_id', '=', sourceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return revision !== undefined
}

/** Reads a range of a source's text at a revision. Returns undefined if there is no such revision. */
export async function findRevisionRange(
  db: Database,
  sourceId: string,
  hash: string,
  { start, end }: { start: number; end: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('text')
    .where('source_id', '=', sourceId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  // Earlier versions stored texts of any length in the row.
  if (row?.text !== '') return row?.text.slice(start, end)
  const pieces = await db
    .selectFrom('revision_pieces')
    .select(['starts_at', 'packed'])
    .where('source_id', '=', sourceId)
    .where('hash', '=', hash)
    .where('starts_at', '<', end)
    .where('starts_at', '>=', (eb) =>
      eb
        .selectFrom('revision_pieces')
        .select((eb) => eb.fn.coalesce(eb.fn.max('starts_at'), eb.lit(0)).as('first'))
        .where('source_id', '=', sourceId)
        .where('hash', '=', hash)
        .where('starts_at', '<=', start),
    )
    .orderBy('starts_at')
    .execute()
  return pieces
    .map(({ starts_at, packed }) =>
      unpackText(packed).slice(Math.max(0, start - starts_at), Math.max(0, end - starts_at)),
    )
    .join('')
}
