import { sql } from 'kysely'
import { type Database, runAtomically, type UnitStatement } from '../database/database.ts'
import { newId } from '../database/rows/ids.ts'
import type { PackedText } from '../database/rows/packed-text.ts'
import {
  type ClaimedChange,
  doneAs,
  whileClaimed,
} from '../features/sources/claimed-source.store.ts'
import {
  type Page,
  replaceRow,
  replaceVisits,
  type Visit,
} from '../features/sources/pages.store.ts'
import { hasRevision, insertRevision } from '../features/sources/revisions.store.ts'
import { progressOf, type Source, type SourceMeta } from '../features/sources/sources.store.ts'
import { hasSamePassages } from './has-same-passages.ts'
import {
  type Build,
  forgetHidden,
  forgetSomeHidden,
  hideBuild,
  showBuild,
} from './hidden-builds.ts'
import { passageIndex } from './index/choose-index.ts'
import type { Batch, PassageList } from './index/passage-index.ts'
import type { Embeddings } from './vectors/embeddings.ts'

// Passages embedded and written at once. Other writers wait a few milliseconds for a batch.
const BATCH_PASSAGES = 64

export interface Index {
  db: Database
  embeddings: Embeddings
  /** Stops the embedding of a long document. */
  stopping: AbortSignal
}

/** A text and its passages. */
export interface PassageContent {
  text: PackedText
  /** Start of each page in the text, for documents with pages. */
  pages?: number[]
  hash: string
  passages: PassageList
}

export interface IndexedText extends PassageContent {
  title: string
  fileSize: number
  tokens: number
  meta: SourceMeta
  /** For a page: lets the next visit detect a change. */
  visit?: Visit
}

/**
 * Replaces a source's passages if they differ, and marks the source done. The old passages serve until then. Returns
 * false without a change if the source was deleted, restarted or claimed by another worker meanwhile.
 */
export async function replacePassages(
  index: Index,
  source: Source,
  { title, fileSize, tokens, meta, visit, ...content }: IndexedText,
): Promise<boolean> {
  const { db } = index
  const change = {
    ...doneAs(db, 'success', meta),
    title: sql<string>`CASE title_chosen WHEN 1 THEN title ELSE ${title} END`,
    file_size: fileSize,
    tokens,
  }
  // Stores the visit only with the passages. After a visit without them, the page would never be read.
  const finish = () => [
    whileClaimed(db, source, change),
    ...(visit ? replaceVisits(db, visit) : []),
  ]
  if (await hasSamePassages(db, source, '', content)) return runAtomically(db, finish())
  return putInPlace(index, source, '', content, finish, (done) => ({
    meta: JSON.stringify({ ...meta, ...progressOf('passages', done, content.passages.length) }),
  }))
}

/** Does the same for one page of a site. The crawl of the site continues. */
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
 * Writes batch by batch, so that others can write in between. The build is hidden until the last batch, which shows it
 * and hides the old one.
 */
async function putInPlace(
  index: Index,
  source: Source,
  pageUrl: string,
  content: PassageContent,
  finish: () => UnitStatement[],
  changeAfter: (done: number) => ClaimedChange = () => ({}),
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
    // Embeds the next batch while this one is written. The catch prevents an unhandled rejection if this write fails.
    next = makeBatch(index, source, content, done + BATCH_PASSAGES)
    next.catch(() => {})
    const isWritten = await runAtomically(db, [
      whileClaimed(db, source, changeAfter(done + BATCH_PASSAGES)),
      ...(done === 0 ? [hideBuild(db, build)] : []),
      ...insertPassages(db, embedder, build, content.hash, batch),
    ])
    if (!isWritten) return false
  }
  const batch = await next
  const isKnown = await hasRevision(db, source.id, content.hash)
  const revision = isKnown ? [] : insertRevision(db, source.id, content)
  const isPlaced = await runAtomically(db, [
    ...finish(),
    ...showBuild(db, build),
    ...revision,
    ...insertPassages(db, embedder, build, content.hash, batch),
    ...forgetSomeHidden(db),
  ])
  if (isPlaced) await forgetHidden(db)
  return isPlaced
}

async function makeBatch(
  { embeddings, stopping }: Index,
  { type, owner_id }: Source,
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
  const vectors = await embeddings.embedPassages(cut, owner_id, stopping)
  return { from, passages: cut.map((passage, i) => ({ ...passage, ...vectors[i]! })) }
}
