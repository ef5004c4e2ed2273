import { parseArgs } from 'node:util'
import { Password } from '../api/sign-in.schemas.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { hashPassword } from '../store/passwords.ts'
import { endOtherSignIns } from '../store/sign-ins.ts'
import { createToken, listTokens, revokeToken, SCOPES, type Scope } from '../store/tokens.ts'
import {
  createUser,
  getUserByName,
  getUserToActFor,
  listUsers,
  setPassword,
} from '../store/users.ts'
import { openExisting } from './open-existing.ts'
import { readSecret, type Terminal } from './terminal.ts'

const OPTIONS = {
  name: { type: 'string' },
  user: { type: 'string' },
  scopes: { type: 'string', default: SCOPES.join(',') },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** `docent user …` and `docent token …`, on the database itself: they work with and without a running server. */
export async function runAccessCommand(
  config: Config,
  noun: 'user' | 'token',
  args: string[],
  terminal: Terminal,
): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [verb, target] = positionals
  const database = await openExisting(config)
  try {
    const result = await perform(database.db, `${noun} ${verb}`, target, values, terminal)
    terminal.print(values.json ? JSON.stringify(result.data) : result.text)
  } finally {
    await database.close()
  }
}

type Values = { name?: string; user?: string; scopes: string; expires?: string }

async function perform(
  db: Database,
  command: string,
  target: string | undefined,
  values: Values,
  terminal: Terminal,
): Promise<{ text: string; data: unknown }> {
  switch (command) {
    case 'user create': {
      const user = await createUser(db, required(target, 'a name: docent user create NAME'))
      return { text: `Made the user "${user.name}".`, data: { uuid: user.id, name: user.name } }
    }
    case 'user list': {
      const users = await listUsers(db)
      const data = users.map(({ id, name }) => ({ uuid: id, name }))
      return { text: users.map(({ name }) => name).join('\n') || 'There are no users yet.', data }
    }
    case 'user password': {
      const user = await getUserByName(db, required(target, 'whose: docent user password NAME'))
      const password = Password.safeParse(
        (await readSecret(terminal, 'New password')).replace(/\r?\n$/, ''),
      )
      if (!password.success)
        throw new AppError('invalid', `The password ${password.error.issues[0]!.message}.`)
      await setPassword(db, user.id, await hashPassword(password.data))
      await endOtherSignIns(db, user.id, undefined)
      return { text: `"${user.name}" can sign in with it now.`, data: { uuid: user.id } }
    }
    case 'token create': {
      const made = await makeToken(db, values)
      return { text: `Token: ${made.token}\nIt is shown this once.`, data: made }
    }
    case 'token list': {
      const tokens = await listTokens(db)
      return { text: tokens.map(describe).join('\n') || 'There are no tokens yet.', data: tokens }
    }
    case 'token revoke': {
      const token = await revokeToken(db, required(target, 'which: docent token revoke ID|NAME'))
      return { text: `Revoked "${token.name}" (${token.id}).`, data: { uuid: token.id } }
    }
    default:
      throw new AppError(
        'invalid',
        `There is no command "docent ${command.replace(' undefined', '')}". "docent help" lists them.`,
      )
  }
}

async function makeToken(db: Database, values: Values) {
  const name = required(values.name, 'a name: docent token create --name NAME')
  const user = await getUserToActFor(db, values.user)
  const scopes = values.scopes.split(',').map((scope) => scope.trim())
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope as Scope))
  if (unknown.length > 0) {
    throw new AppError(
      'invalid',
      `Unknown scopes: ${unknown.join(', ')}. There are ${SCOPES.join(', ')}.`,
    )
  }
  const expiresAt = values.expires === undefined ? null : parseExpiry(values.expires)
  const { id, token } = await createToken(db, {
    userId: user.id,
    name,
    scopes: scopes as Scope[],
    expiresAt,
  })
  return { uuid: id, name, user: user.name, scopes, expires_at: expiresAt, token }
}

function parseExpiry(given: string): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(given) ?? []
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? '']
  const at = unitMs ? Date.now() + Number(amount) * unitMs : Date.parse(given)
  if (at <= Date.now()) throw new AppError('invalid', `"${given}" is in the past.`)
  if (Number.isNaN(at)) {
    throw new AppError(
      'invalid',
      `"${given}" is no time: give 12h, 30d, or a date such as 2027-01-31.`,
    )
  }
  return at
}

function describe(token: Awaited<ReturnType<typeof listTokens>>[number]): string {
  const day = (ms: number | null) =>
    ms === null ? 'never' : new Date(ms).toISOString().slice(0, 16)
  const state = token.revoked_at === null ? `expires ${day(token.expires_at)}` : 'revoked'
  return `${token.id}  ${token.hint}…  ${token.name}  ${token.user}  ${token.scopes}  used ${day(token.last_used_at)}  ${state}`
}

function required(value: string | undefined, what: string): string {
  if (!value?.trim()) throw new AppError('invalid', `Give ${what}`)
  return value.trim()
}
