import { SCOPES, type Scope } from '@docent/contract/tokens.ts'
import { getUserToActFor } from '../../features/accounts/users.store.ts'
import * as tokens from '../../features/tokens/tokens.store.ts'
import { type Invocation, required, UsageError } from '../command.ts'
import { sayUnwritable } from '../terminal.ts'
import { withExisting } from './open-existing.ts'

// These commands use the database directly, with or without a running server.

export async function createToken(call: Invocation): Promise<void> {
  const { environment, json, terminal, values } = call
  const name = required(values.name, 'a name: docent token create --name NAME')
  const scopes = readScopes(values.scopes)
  const expiresAt = values.expires === undefined ? null : readExpiry(values.expires)
  await withExisting(environment, async (db) => {
    const user = await getUserToActFor(db, values.user)
    const { id, token } = await tokens.createToken(db, { userId: user.id, name, scopes, expiresAt })
    const made = { uuid: id, name, user: user.name, scopes, expires_at: expiresAt, token }
    try {
      terminal.printOrThrow(json ? JSON.stringify(made) : `Token: ${token}\nIt is shown only once.`)
    } catch (error) {
      await tokens.revokeToken(db, id)
      throw new Error(`${sayUnwritable(error as Error)} The token was not shown and is revoked.`)
    }
  })
}

export async function listTokens({ environment, print }: Invocation): Promise<void> {
  const found = await withExisting(environment, tokens.listTokens)
  print(found, found.map(describe).join('\n') || 'No tokens yet.')
}

export async function revokeToken({ args, environment, print }: Invocation): Promise<void> {
  const wanted = required(args[0], 'a token: docent token revoke ID|NAME')
  const { id, name } = await withExisting(environment, (db) => tokens.revokeToken(db, wanted))
  print({ uuid: id }, `Revoked "${name}" (${id}).`)
}

function readScopes(given: string = SCOPES.join(',')): Scope[] {
  const scopes = given.split(',').map((scope) => scope.trim())
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope as Scope))
  if (unknown.length > 0) {
    throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Use ${SCOPES.join(', ')}.`)
  }
  return scopes as Scope[]
}

function readExpiry(given: string): number {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(given) ?? []
  const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? '']
  const at = unitMs ? Date.now() + Number(amount) * unitMs : Date.parse(given)
  if (at <= Date.now()) throw new UsageError(`"${given}" is in the past.`)
  if (Number.isNaN(at)) {
    throw new UsageError(`"${given}" is not a time. Give 12h, 30d, or a date such as 2027-01-31.`)
  }
  return at
}

function describe(token: Awaited<ReturnType<typeof tokens.listTokens>>[number]): string {
  const day = (ms: number | null) =>
    ms === null ? 'never' : new Date(ms).toISOString().slice(0, 16)
  const state = token.revoked_at === null ? `expires ${day(token.expires_at)}` : 'revoked'
  return `${token.id}  ${token.hint}…  ${token.name}  ${token.user}  ${token.scopes}  used ${day(token.last_used_at)}  ${state}`
}
