import { Docent } from '@docent/client'
import type { Invocation } from '../command.ts'
import { required } from '../command.ts'
import { readSecret } from '../terminal.ts'
import { defaultUrl, forgetLogin, readLogin, saveLogin } from './connect.ts'

/** Saves the server's address and the token after testing them. */
export async function login({ args, environment, json, terminal }: Invocation): Promise<void> {
  const url = (args[0] || environment.DOCENT_URL || defaultUrl(environment)).replace(/\/+$/, '')
  const token = required(
    environment.DOCENT_TOKEN || (await readSecret(terminal, 'Token')),
    'a token, on standard input: "docent token create --name NAME" or the console makes one',
  )
  const user = await new Docent({ baseUrl: url, token, retries: 1 }).account.user()
  const file = saveLogin(environment, { url, token })
  terminal.print(
    json
      ? JSON.stringify({ url, user: user.name, file })
      : `Logged in to ${url} as "${user.name}". The token is in ${file}.`,
  )
}

export async function logout({ environment, json, terminal }: Invocation): Promise<void> {
  const url = readLogin(environment)?.url ?? null
  forgetLogin(environment)
  const said = url ? `Forgot the token for ${url}. It still works until it is revoked.` : undefined
  terminal.print(json ? JSON.stringify({ url }) : (said ?? 'There was no login.'))
}
