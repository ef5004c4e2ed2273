import { hash, randomBytes } from 'node:crypto'
import { SCOPES, type Scope } from '@docent/contract/tokens.ts'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { newId } from '../../database/rows/ids.ts'
import type { Row } from '../../database/tables.ts'
import { AppError, notFound } from '../../errors.ts'

const PREFIX = 'docent_'

export interface Caller {
  userId: string
  tokenId: string
  /** Set if the caller is signed in to the console instead of sending a token. */
  signInId?: string
  scopes: readonly string[]
  expiresAt?: number | null
}

export interface NewToken {
  userId: string
  name: string
  scopes?: readonly Scope[]
  expiresAt?: number | null
}

/** Returns the token, which is shown only once. Only its hash is stored. */
export async function createToken(
  db: Database,
  { userId, name, scopes = SCOPES, expiresAt = null }: NewToken,
): Promise<{ id: string; token: string }> {
  const token = PREFIX + randomBytes(32).toString('base64url')
  const id = newId()
  await db
    .insertInto('tokens')
    .values({
      id,
      user_id: userId,
      name,
      hash: hash('sha256', token),
      hint: token.slice(0, PREFIX.length + 4),
      scopes: scopes.join(','),
      created_at: Date.now(),
      expires_at: expiresAt,
    })
    .execute()
  return { id, token }
}

const findLiveToken = prepareQuery((db, tokenHash: string) =>
  db
    .selectFrom('tokens')
    .select(['id', 'user_id', 'scopes', 'expires_at'])
    .where('hash', '=', tokenHash)
    .where('revoked_at', 'is', null),
)

const callerOf = new WeakMap<object, Caller>()

// Hashing a token takes a tenth of a read. The cache holds known tokens only, so that strangers cannot fill it.
const hashOf = new Map<string, string>()
const MOST_HASHES = 1_000

/** Returns undefined if the token is unknown, revoked or expired. */
export async function findCaller(db: Database, token: string): Promise<Caller | undefined> {
  const kept = hashOf.get(token)
  const hashed = kept ?? hash('sha256', token)
  const [row] = await findLiveToken.read(db, hashed)
  if (!row || (row.expires_at !== null && row.expires_at <= Date.now())) return undefined
  if (kept === undefined) {
    if (hashOf.size >= MOST_HASHES) hashOf.clear()
    hashOf.set(token, hashed)
  }
  let caller = callerOf.get(row)
  if (!caller) {
    caller = {
      userId: row.user_id,
      tokenId: row.id,
      scopes: row.scopes.split(','),
      expiresAt: row.expires_at,
    }
    callerOf.set(row, caller)
  }
  return caller
}

export async function recordTokenUse(db: Database, tokenId: string, at: number): Promise<void> {
  await db.updateTable('tokens').set({ last_used_at: at }).where('id', '=', tokenId).execute()
}

export type ListedToken = Omit<Row<'tokens'>, 'hash' | 'user_id'> & { user: string }

export function listTokens(db: Database): Promise<ListedToken[]> {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.name', 'hint', 'scopes', 'tokens.created_at'])
    .select(['expires_at', 'last_used_at', 'revoked_at', 'users.name as user'])
    .orderBy('tokens.id')
    .execute()
}

/** Lists the tokens of a user that are still valid. */
export function listOwnTokens(db: Database, userId: string): Promise<Row<'tokens'>[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
    .orderBy('id')
    .execute()
}

export async function revokeOwnToken(db: Database, userId: string, id: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: Date.now() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('token'))
}

/** Takes an id, or a name that only one token has. */
export async function revokeToken(db: Database, idOrName: string): Promise<ListedToken> {
  const live = (await listTokens(db)).filter((token) => token.revoked_at === null)
  const found = live.filter((token) => token.id === idOrName || token.name === idOrName)
  const token = found[0]
  if (!token) throw new AppError('not_found', `There is no token "${idOrName}".`)
  if (found.length > 1) {
    throw new AppError('conflict', `${found.length} tokens are named "${idOrName}". Give the ID.`)
  }
  const revokedAt = Date.now()
  await db.updateTable('tokens').set({ revoked_at: revokedAt }).where('id', '=', token.id).execute()
  return { ...token, revoked_at: revokedAt }
}
