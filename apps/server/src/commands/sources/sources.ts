import { type Docent, isWorkedOn, type Source, sourceMeta } from '@docent/client'
import { type Invocation, UsageError } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { connect } from '../remote/connect.ts'
import { chooseBot } from '../remote/current-chatbot.ts'
import { mayDelete } from '../terminal.ts'

export async function listSources(call: Invocation): Promise<void> {
  const server = connect(call.environment)
  const sources = await server.client.sources.list(await chooseBot(call, server, call.values.bot))
  call.print(sources, sources.map(describe).join('\n') || 'No sources yet.')
}

function describe(source: Source): string {
  const { uuid, type, status, tokens, title } = source
  const { error, progress, fetched_at, next_reading_at } = sourceMeta(source)
  const state = progress && isWorkedOn(status) ? `${status} ${progress.percent}%` : status
  const line = `${uuid}  ${type.padEnd(6)}  ${state.padEnd(10)}  ${String(tokens).padStart(7)}  ${title}`
  if (!error) return line
  const read = minuteOf(fetched_at)
  const next = minuteOf(next_reading_at)
  const still = read ? ` Answers use the version from ${read}.` : ''
  return `${line}\n    ${error}${still}${next ? ` Next attempt: ${next}.` : ''}`
}

/** Formats a time as `2026-11-18 16:03 UTC`. An imported source may contain invalid times. */
function minuteOf(timestamp: string | undefined): string | undefined {
  const ms = Date.parse(timestamp ?? '')
  if (Number.isNaN(ms)) return undefined
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export async function deleteSources(call: Invocation): Promise<number> {
  const server = connect(call.environment)
  const { client } = server
  const chosen = await choose(server, call)
  const what = chosen.length === 1 ? `"${chosen[0]!.title}"` : `${chosen.length} sources`
  if (!(await mayDelete(call, 'Delete', what))) return EXIT.failed
  if (chosen.length > 0) await client.sources.deleteMany(chosen)
  call.print(
    chosen.map(({ uuid }) => uuid),
    `Deleted ${what}.`,
  )
  return EXIT.done
}

export async function retrySources(call: Invocation): Promise<void> {
  const server = connect(call.environment)
  const { client } = server
  const chosen = await choose(server, call)
  for (const source of chosen) await client.sources.retry(source)
  const titles = chosen.map(({ title }) => title).join(', ')
  call.print(
    chosen.map(({ uuid }) => uuid),
    `Reading again: ${titles || 'nothing'}.`,
  )
}

/** Finds sources by uuid or title. With --failed it adds those that failed. */
async function choose(
  server: { client: Docent; url: string },
  call: Invocation,
): Promise<Source[]> {
  const { args, switches, values } = call
  if (args.length === 0 && !switches.failed) {
    throw new UsageError('Give the UUID or title of a source, or --failed.')
  }
  const sources = await server.client.sources.list(await chooseBot(call, server, values.bot))
  const failed = ({ status }: Source) => status !== 'success' && !isWorkedOn(status)
  const named = args.map((given) => {
    const found = sources.filter(({ uuid, title }) => uuid === given || title === given)
    if (found.length === 1) return found[0]!
    throw new UsageError(
      found.length > 1
        ? `${found.length} sources have the title "${given}". Give a UUID.`
        : `There is no source "${given}". Run "docent source list" for a list.`,
    )
  })
  return [...new Set([...named, ...(switches.failed ? sources.filter(failed) : [])])]
}
