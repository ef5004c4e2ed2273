import { IN_PROGRESS_STATUSES } from '@docent/contract/sources.ts'
import type { Database } from '../../database/database.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../../features/chatbots/chatbots.store.ts'
import { findRevisionRange, WHOLE } from '../../features/sources/revisions.store.ts'
import { getSourceFile, metaOf, type Source } from '../../features/sources/sources.store.ts'
import { getWidgetSettings, hasWidgetSettings } from '../../features/widgets/widgets.store.ts'
import { getActiveEmbedder } from '../../search/vectors/registered-embedders.ts'
import { bytesOfStored } from '../../search/vectors/stored-vector.ts'
import type { RegisteredEmbedder } from '../../search/vectors/text-vectors.ts'
import { writeSealed } from '../sealed-file.ts'
import {
  BATCH_PASSAGES,
  FILE_PART_BYTES,
  Line,
  type PassagesLine,
  Settings,
} from './chatbot-file.ts'

export interface Exported {
  file: string
  bytes: number
  sha256: string
}

/** Writes a chatbot with its sources to one file. `db` must be a snapshot. */
export async function exportChatbot(
  db: Database,
  chatbot: Owned<Chatbot>,
  file: string,
): Promise<Exported> {
  const active = await getActiveEmbedder(db)
  const embedder = active ? { name: active.name, dimensions: active.dimensions } : null
  async function* bytes() {
    for await (const line of linesOf(db, chatbot, active)) yield Buffer.from(toText(line))
  }
  return { file, ...(await writeSealed(file, 'chatbot', { embedder }, bytes())) }
}

/** Parsing finds anything that an import would reject, and orders the keys as an import does. */
function toText(line: Line): string {
  return `${JSON.stringify(Line.parse(line))}\n`
}

async function* linesOf(
  db: Database,
  chatbot: Owned<Chatbot>,
  embedder: RegisteredEmbedder | undefined,
): AsyncGenerator<Line> {
  const { name, model, token_budget, created_at, modified_at } = chatbot
  const settings = Settings.parse(JSON.parse(chatbot.settings))
  const widget = (await hasWidgetSettings(db, chatbot))
    ? await getWidgetSettings(db, chatbot)
    : null
  const answering = JSON.parse(chatbot.answering)
  yield {
    chatbot: { name, model, settings, answering, token_budget, widget, created_at, modified_at },
  }
  const sources = await db
    .selectFrom('sources')
    .selectAll()
    .where('chatbot_id', '=', chatbot.id)
    .orderBy('id')
    .execute()
  for (const source of sources) {
    yield { source: describe(source) }
    if (source.type === 'upload') yield* fileParts(await getSourceFile(db, source.id))
    yield* siteLines(db, source)
    yield* revisionLines(db, source, embedder)
  }
}

function describe(source: Source) {
  const { type, title, title_chosen, status, file_name, file_size, tokens } = source
  const { due_at, created_at, modified_at } = source
  const isSettled = !IN_PROGRESS_STATUSES.some((one) => one === status)
  return {
    type,
    title,
    title_chosen: title_chosen === 1,
    status: isSettled ? status : 'await',
    file_name,
    file_size,
    tokens,
    meta: metaOf(source),
    due_at: isSettled ? due_at : null,
    created_at,
    modified_at,
  } as Extract<Line, { source: unknown }>['source']
}

/** Yields at least one part, so that an empty file is exported, too. */
function* fileParts(content: Uint8Array): Generator<Line> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (let from = 0; from === 0 || from < bytes.length; from += FILE_PART_BYTES)
    yield { file: bytes.toString('base64', from, Math.min(from + FILE_PART_BYTES, bytes.length)) }
}

/** Databases sort texts differently, so the order is made here. */
const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1)

async function* siteLines(db: Database, { id }: Source): AsyncGenerator<Line> {
  const pages = await db
    .selectFrom('source_pages')
    .select(['url', 'title', 'revision', 'tokens', 'file_size', 'fetched_at'])
    .where('source_id', '=', id)
    .execute()
  for (const page of pages.sort(byUrl)) yield { page }
  const visits = await db
    .selectFrom('source_visits')
    .select(['url', 'etag', 'last_modified', 'links', 'leads_to', 'revision', 'page_url'])
    .where('source_id', '=', id)
    .execute()
  for (const visit of visits.sort(byUrl)) yield { visit }
  const sitemaps = await db
    .selectFrom('source_sitemaps')
    .select(['url', 'etag', 'last_modified', 'lists'])
    .where('source_id', '=', id)
    .execute()
  for (const sitemap of sitemaps.sort(byUrl)) yield { sitemap }
}

/** Each revision precedes its passages, so a reader keeps only one revision in memory. */
async function* revisionLines(
  db: Database,
  { id }: Source,
  embedder: RegisteredEmbedder | undefined,
): AsyncGenerator<Line> {
  const builds = await db
    .selectFrom('passages')
    .select(['page_url as url', 'revision', 'build'])
    .distinct()
    .where('source_id', '=', id)
    .where('build', 'not in', db.selectFrom('hidden_builds').select('build'))
    .execute()
  const byRevision = Map.groupBy(builds.sort(byUrl), ({ revision }) => revision)
  const revisions = await db
    .selectFrom('revisions')
    .select(['hash', 'pages', 'created_at'])
    .where('source_id', '=', id)
    .orderBy('created_at')
    .orderBy('hash')
    .execute()
  for (const { hash, pages, created_at } of revisions) {
    const text = (await findRevisionRange(db, id, hash, WHOLE))!
    yield { revision: { hash, text, pages: pages === null ? null : JSON.parse(pages), created_at } }
    for (const build of byRevision.get(hash) ?? [])
      yield* passageLines(db, id, build.url, build.build, embedder)
  }
}

async function* passageLines(
  db: Database,
  sourceId: string,
  page_url: string,
  build: string,
  embedder: RegisteredEmbedder | undefined,
): AsyncGenerator<Line> {
  for (let position = 0; ; position += BATCH_PASSAGES) {
    const rows = await db
      .selectFrom('passages')
      .leftJoin('passage_vectors', (join) =>
        join
          .onRef('passage_vectors.passage_id', '=', 'passages.id')
          .on('passage_vectors.embedder_id', '=', embedder?.id ?? null),
      )
      .select(['starts_at', 'ends_at', 'lead', 'page', 'vector'])
      .where('source_id', '=', sourceId)
      .where('page_url', '=', page_url)
      .where('passages.build', '=', build)
      .where('position', '>=', position)
      .orderBy('position')
      .limit(BATCH_PASSAGES)
      .execute()
    if (rows.length === 0) return
    const list = rows.map((row): PassagesLine['list'][number] => {
      const vector = row.vector && bytesOfStored(row.vector).toString('base64')
      return [row.starts_at, row.ends_at, row.lead, row.page, vector]
    })
    yield { passages: { page_url, position, list } }
  }
}
