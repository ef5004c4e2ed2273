import {
  type Chatbot,
  type Docent,
  isWorkedOn,
  NotFoundError,
  type Source,
  UnsupportedTypeError,
} from '@docent/client'
import type { Item } from './find-items.ts'
import type { ProgressBoard } from './progress-board.ts'
import type { SentItems } from './uploaded-items.ts'

const AT_ONCE = 4

export type Outcome =
  | { type: 'added' | 'replaced' | 'unchanged'; item: Item; source: Source }
  | { type: 'passed over'; item: Item; reason: string }
  | { type: 'failed'; item: Item; reason: string; error: unknown }

export interface Sync {
  client: Docent
  chatbot: Chatbot
  sent: SentItems
  board: ProgressBoard
  signal: AbortSignal
  /** Called as each item ends. The returned sentence stands above the progress. */
  describe(outcome: Outcome): string | undefined
}

/** Sends the items that the chatbot lacks and waits until they can be found. The process may be killed at any point. */
export async function syncItems(sync: Sync, items: Item[]): Promise<Outcome[]> {
  const there = new Map<string, Source>()
  const listed = sync.client.sources.each(sync.chatbot, { signal: sync.signal })
  for await (const source of listed) there.set(source.uuid, source)
  const queue = [...items]
  const outcomes: Outcome[] = []
  const work = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      sync.signal.throwIfAborted()
      const outcome = await syncItem(sync, there, item)
      sync.board.finish(item.key, sync.describe(outcome))
      outcomes.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

async function syncItem(sync: Sync, there: Map<string, Source>, item: Item): Promise<Outcome> {
  try {
    return await settle(sync, there, item)
  } catch (error) {
    sync.signal.throwIfAborted()
    const reason = (error as Error).message
    if (error instanceof UnsupportedTypeError && item.isByTheWay) {
      sync.sent.forget(item.key)
      return { type: 'passed over', item, reason }
    }
    return { type: 'failed', item, reason, error }
  }
}

async function settle(
  { client, chatbot, sent, board, signal }: Sync,
  there: Map<string, Source>,
  item: Item,
): Promise<Outcome> {
  const { key, digest, label } = item
  const before = sent.find(key)
  const existing =
    (before?.uuid ? there.get(before.uuid) : undefined) ?? adopt(sent, there, item, before)
  let source = existing
  let replaces = before?.replaces ?? null
  if (!source || (before?.uuid === source.uuid && before.digest !== digest)) {
    replaces ??= source?.uuid ?? null
    sent.save(key, { digest, uuid: null, replaces })
    source = await item.send(client, chatbot, {
      tell: (share) => board.update(key, { label, note: 'sending', share }),
      signal,
    })
  }
  sent.save(key, { digest, uuid: source.uuid, replaces })

  const isNew = source !== existing
  if (!isNew && source.status !== 'success' && !isWorkedOn(source.status)) {
    await client.sources.retry(source, { signal })
  } else if (!isNew && source.status === 'success' && replaces === null) {
    return { type: 'unchanged', item, source }
  }
  const ready = await client.sources.waitUntilReady(source, {
    signal,
    onProgress: ({ status }, progress) =>
      board.update(key, { label, note: status, share: progress && progress.percent / 100 }),
  })
  // Only now, because the old source answers until the new one can be found.
  if (replaces !== null) await deleteQuietly(client, replaces)
  sent.save(key, { digest, uuid: ready.uuid, replaces: null })
  return { type: replaces === null ? 'added' : 'replaced', item, source: ready }
}

/** Finds an existing source without a record here: another machine sent it, or this one was killed. */
function adopt(
  sent: SentItems,
  there: Map<string, Source>,
  item: Item,
  before: ReturnType<SentItems['find']>,
): Source | undefined {
  const wasBeingSent = before !== undefined && before.uuid === null && before.digest === item.digest
  if (!item.isSameForCertain && !wasBeingSent) return undefined
  const taken = sent.uuids()
  return [...there.values()].find(
    (source) => !taken.has(source.uuid) && source.uuid !== before?.replaces && item.isSame(source),
  )
}

/** Deletes the source of a file that was deleted from the disk. */
export async function deleteSent({ client, sent }: Sync, key: string): Promise<void> {
  const { uuid, replaces } = sent.find(key) ?? {}
  for (const one of [uuid, replaces]) if (one) await deleteQuietly(client, one)
  sent.forget(key)
}

async function deleteQuietly(client: Docent, uuid: string): Promise<void> {
  await client.sources.delete(uuid).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error
  })
}
