import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Chatbot, Docent } from '@docent/client'
import { NoToken, UsageError } from '../command.ts'

/** The server on this machine, on its configured port. */
export function defaultUrl({ PORT }: NodeJS.ProcessEnv): string {
  return `http://127.0.0.1:${PORT || 3000}`
}

export interface Login {
  url: string
  token: string
}

/** Connects to the server of the environment, or to the one of the saved login. */
export function connect(environment: NodeJS.ProcessEnv): { client: Docent; url: string } {
  const { url, token } = findLogin(environment)
  // A user waits, so a missing server is reported after a second or two.
  return { client: new Docent({ baseUrl: url, token, retries: 2 }), url }
}

function findLogin(environment: NodeJS.ProcessEnv): Login {
  const saved = readLogin(environment)
  const url = environment.DOCENT_URL || (environment.DOCENT_TOKEN ? undefined : saved?.url)
  const address = url ?? defaultUrl(environment)
  if (!/^https?:\/\/[^/]/.test(address)) {
    throw new UsageError('DOCENT_URL must be an http or https URL.')
  }
  // A saved token goes only to the server that it was saved for.
  const token = environment.DOCENT_TOKEN || (saved?.url === address ? saved.token : undefined)
  if (!token) {
    throw new NoToken(`No token is saved for ${address}. Run "docent login" or set DOCENT_TOKEN.`)
  }
  return { url: address, token }
}

function loginFile(environment: NodeJS.ProcessEnv): string {
  return join(configFolder(environment), 'login.json')
}

/** The folder of the login and the current chatbot. */
export function configFolder({ XDG_CONFIG_HOME, APPDATA }: NodeJS.ProcessEnv): string {
  return join(XDG_CONFIG_HOME || APPDATA || join(homedir(), '.config'), 'docent')
}

export function readLogin(environment: NodeJS.ProcessEnv): Login | undefined {
  try {
    return JSON.parse(readFileSync(loginFile(environment), 'utf8'))
  } catch {
    return undefined
  }
}

export function saveLogin(environment: NodeJS.ProcessEnv, login: Login): string {
  const file = loginFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Deletes an existing file first, because it would keep its permissions.
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(login), { mode: 0o600 })
  return file
}

export function forgetLogin(environment: NodeJS.ProcessEnv): void {
  rmSync(loginFile(environment), { force: true })
}

/** Finds a chatbot by uuid or name. A single chatbot needs neither. */
export async function findBot(client: Docent, given: string | undefined): Promise<Chatbot> {
  return pickBot(await client.chatbots.list(), given)
}

export function pickBot(chatbots: Chatbot[], given: string | undefined): Chatbot {
  const uuid = given?.replaceAll('-', '').toLowerCase()
  const found = chatbots.filter((chatbot) => given === undefined || chatbot.uuid === uuid)
  const named = found.length > 0 ? found : chatbots.filter(({ name }) => name === given)
  const [only] = named
  if (only && named.length === 1) return only
  const names = chatbots.map(({ name, uuid }) => `  ${uuid}  ${name}`).join('\n')
  if (chatbots.length === 0) {
    throw new UsageError('No chatbots yet. Run "docent bot create NAME" to create one.')
  }
  if (given === undefined) throw new UsageError(`Choose a chatbot with --bot:\n${names}`)
  throw new UsageError(
    named.length > 1
      ? `${named.length} chatbots are named "${given}". Give a UUID:\n${names}`
      : `There is no chatbot "${given}".\n${names}`,
  )
}
