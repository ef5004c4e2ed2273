import { Docent } from '@docent/client'
import type { Invocation } from '../command.ts'
import { required } from '../command.ts'
import { readSecret } from '../terminal.ts'
import { defaultUrl, forgetLogin, readLogin, saveLogin } from './connect.ts'

/** Saves the server's address and the token after testing them. */
export async function login({ args, environment, terminal, print }: Invocation): Promise<void> {
  const url = (args[0] || environment.DOCENT_URL || defaultUrl(environment)).replace(/\/+$/, '')
  const token = required(
    environment.DOCENT_TOKEN || (await readSecret(terminal, 'Token')),
    'a token on standard input: create one in the console or with "docent token create --name NAME"',
  )
  const user = await new Docent({ baseUrl: url, token, retries: 1 }).account.user()
  const file = saveLogin(environment, { url, token })
  const said = `Logged in to ${url} as "${user.name}". The token is in ${file}.`
  print({ url, user: user.name, file }, said)
}

export async function logout({ environment, print }: Invocation): Promise<void> {
  const url = readLogin(environment)?.url ?? null
  forgetLogin(environment)
  const said = url
    ? `Removed the token for ${url} from this machine. It works until it is revoked.`
    : undefined
  print({ url }, said ?? 'You were not logged in.')
}
