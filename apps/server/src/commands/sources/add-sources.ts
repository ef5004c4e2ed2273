import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, type Source } from '@docent/client'
import { type Invocation, UsageError } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { connect } from '../remote/connect.ts'
import { chooseBot } from '../remote/current-chatbot.ts'
import { Interrupted, untilInterrupted } from '../terminal.ts'
import { findItems, type Item, type KnownFiles } from './find-items.ts'
import { ProgressBoard } from './progress-board.ts'
import { deleteSent, type Outcome, type Sync, syncItems } from './sync-sources.ts'
import { UploadedItems } from './uploaded-items.ts'

const LOOK_AGAIN_MS = 1_000

/** Adds files, folders, pages and pairs to a chatbot, each once. With --watch it continues with every change. */
export async function addSources(call: Invocation): Promise<number> {
  const { args, environment, switches, terminal, json, values } = call
  if (args.length === 0) {
    throw new UsageError('Give files, folders or URLs: docent source add ./docs')
  }
  const server = connect(environment)
  const { client, url } = server
  const chatbot = await chooseBot(call, server, values.bot)
  const known: KnownFiles = new Map()
  const items = await findItems(call, known)
  const signal = untilInterrupted()
  const sent = UploadedItems.open(environment, url, chatbot.uuid)
  const sync: Sync = {
    client,
    chatbot,
    sent,
    board: new ProgressBoard(json ? { ...terminal, canRedraw: false, note: () => {} } : terminal),
    signal,
    describe: sentenceOf,
  }
  try {
    const outcomes = await syncItems(sync, items)
    if (!switches.watch) return report(call, outcomes)
    for (const outcome of outcomes) announce(call, outcome)
    await watch(call, sync, known, items, outcomes)
    return EXIT.done
  } catch (error) {
    if (error instanceof Interrupted && !switches.watch) {
      terminal.note(
        'Stopped. The server still imports the sources that were sent. Run the same command to continue.',
      )
      return EXIT.interrupted
    }
    throw error
  } finally {
    sent.close()
  }
}

/** Polls for changes. Skips a file that is still being written. */
async function watch(
  call: Invocation,
  sync: Sync,
  known: KnownFiles,
  first: Item[],
  outcomes: Outcome[],
): Promise<void> {
  const { terminal, json } = call
  let before = new Map(first.map(({ key, digest }) => [key, digest]))
  // A rejected item is sent again only if its content changes.
  const refused = new Map<string, string>()
  const remember = (outcome: Outcome) => {
    if (isRefused(outcome)) refused.set(outcome.item.key, outcome.item.digest)
  }
  outcomes.forEach(remember)
  if (!json) terminal.note('Watching for changes. Press Ctrl-C to stop.')
  while (await rest(sync.signal)) {
    try {
      const items = await findItems(rootsThere(call), known)
      const resting = items.filter(({ key, digest }) => before.get(key) === digest)
      before = new Map(items.map(({ key, digest }) => [key, digest]))
      const due = resting.filter(({ key, digest }) => {
        const sent = sync.sent.find(key)
        return refused.get(key) !== digest && (sent?.digest !== digest || sent.uuid === null)
      })
      for (const outcome of due.length > 0 ? await syncItems(sync, due) : []) {
        remember(outcome)
        announce(call, outcome)
      }
      await forgetDeleted(call, sync, new Set(before.keys()))
    } catch (error) {
      if (sync.signal.aborted) return
      // A half-written table or a missing server may be temporary. The next poll tries again.
      if (!(error instanceof ConnectionError || error instanceof UsageError)) throw error
      terminal.note(error.message)
    }
  }
}

function isRefused(outcome: Outcome): boolean {
  if (outcome.type === 'passed over') return true
  return outcome.type === 'failed' && !(outcome.error instanceof ConnectionError)
}

/** Returns false when the watch should end. */
async function rest(signal: AbortSignal): Promise<boolean> {
  await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
  return !signal.aborted
}

/** A missing folder, as after unplugging a disk, does not mean that its files were deleted. */
function rootsThere(call: Invocation): Invocation {
  const args = call.args.filter((given) => !isAddress(given) && existsSync(resolve(given)))
  return { ...call, args }
}

async function forgetDeleted(call: Invocation, sync: Sync, there: Set<string>): Promise<void> {
  const roots = rootsThere(call).args.map((given) => resolve(given))
  for (const key of sync.sent.keys()) {
    const path = /^(?:file:(.+)|pair:(.+):\w+:\d+)$/s.exec(key)
    const file = path?.[1] ?? path?.[2]
    const isOurs = roots.some((root) => file === root || file?.startsWith(root + sep))
    if (!file || !isOurs || there.has(key)) continue
    await deleteSent(sync, key)
    const line = { type: 'deleted', label: file }
    if (call.json) call.terminal.print(JSON.stringify(line))
    else call.terminal.note(`deleted    ${file}`)
  }
}

function isAddress(given: string): boolean {
  return /^https?:\/\//i.test(given)
}

function sentenceOf(outcome: Outcome): string {
  const { label } = outcome.item
  switch (outcome.type) {
    case 'added':
    case 'replaced':
      return `${outcome.type.padEnd(11)}${label} (${outcome.source.tokens.toLocaleString('en')} tokens)`
    case 'unchanged':
      return `unchanged  ${label}`
    case 'passed over':
      return `skipped    ${label}: this file type is not supported`
    case 'failed':
      return `FAILED     ${label}: ${outcome.reason}`
  }
}

function toRecord(outcome: Outcome) {
  const source: Partial<Source> = 'source' in outcome ? outcome.source : {}
  return {
    type: outcome.type,
    label: outcome.item.label,
    ...('reason' in outcome && { reason: outcome.reason }),
    ...(source.uuid && { uuid: source.uuid, tokens: source.tokens }),
  }
}

/** While watching, each change is a separate line. */
function announce({ json, terminal }: Invocation, outcome: Outcome): void {
  if (json && outcome.type !== 'unchanged') terminal.print(JSON.stringify(toRecord(outcome)))
}

function report({ json, terminal }: Invocation, outcomes: Outcome[]): number {
  if (json) terminal.print(JSON.stringify(outcomes.map(toRecord)))
  else {
    const counts = Map.groupBy(outcomes, ({ type }) => type)
    const parts = [...counts].map(([type, { length }]) => `${length} ${type}`)
    terminal.print(parts.join(', ') || 'Nothing to add.')
  }
  return outcomes.some(({ type }) => type === 'failed') ? EXIT.failed : EXIT.done
}
