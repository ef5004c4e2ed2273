import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Chatbot, Docent } from '@docent/client'
import type { Invocation } from '../command.ts'
import { configFolder, pickBot } from './connect.ts'

type Call = Pick<Invocation, 'environment' | 'json' | 'terminal'>

/**
 * Chooses the chatbot of a command: by uuid or name, else the only one, else the one made or used last on this server.
 * The command prints the name in the last case. The chosen chatbot becomes the current one.
 */
export async function chooseBot(
  call: Call,
  { client, url }: { client: Docent; url: string },
  given: string | undefined,
): Promise<Chatbot> {
  const chatbots = await client.chatbots.list()
  const uuid = readAll(call)[url]
  const current = chatbots.find((chatbot) => chatbot.uuid === uuid)
  if (given === undefined && current) {
    if (chatbots.length > 1 && !call.json) {
      call.terminal.note(`Using "${current.name}" (${uuid}), the last chatbot created or used.`)
    }
    return current
  }
  const chosen = pickBot(chatbots, given)
  rememberBot(call, url, chosen)
  return chosen
}

export function rememberBot(call: Call, url: string, { uuid }: Chatbot): void {
  const all = readAll(call)
  if (all[url] === uuid) return
  const file = fileOf(call)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // The rename replaces the file atomically, because another command may read it at the same moment.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...all, [url]: uuid }), {
      mode: 0o600,
    })
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A read-only home folder only costs this convenience.
  }
}

function readAll(call: Call): Record<string, unknown> {
  try {
    return { ...JSON.parse(readFileSync(fileOf(call), 'utf8')) }
  } catch {
    return {}
  }
}

function fileOf({ environment }: Call): string {
  return join(configFolder(environment), 'current-chatbots.json')
}
