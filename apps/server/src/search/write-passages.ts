import { sql } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
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
import type { Embeddings } from './embeddings/embeddings.ts'
import {
  type Build,
  forgetHidden,
  forgetSomeHidden,
  hideBuild,
  showBuild,
} from './hidden-builds.ts'
import { passageIndex } from './index/choose-index.ts'
import type { Batch, PassageList } from './index/passage-index.ts'
import { isInPlace } from './is-unchanged.ts'

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
  /** Of a page: by what it is known the next time. */
  visit?: Visit
}

/**
 * Puts a source's passages in place of those it had, if they are others, and marks it done: until then the old ones serve.
 * False when the source was deleted, restarted or taken over meanwhile; then nothing is changed.
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
  // With the passages or not at all: by a visit without them, they would never be read.
  const finish = () => [
    whileClaimed(db, source, change),
    ...(visit ? replaceVisits(db, visit) : []),
  ]
  if (await isInPlace(db, source, '', content)) return runTogether(db, finish())
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
