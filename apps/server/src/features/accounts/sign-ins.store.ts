import { hash, randomBytes } from 'node:crypto'
import { SCOPES } from '@docent/contract/tokens.ts'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { newId } from '../../database/rows/ids.ts'
import type { Caller } from '../tokens/tokens.store.ts'

export const SIGN_IN_SECONDS = 30 * 86_400

/** Returns the secret for the cookie. Only its hash is stored. */
export async function createSignIn(db: Database, userId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const now = Date.now()
  await db
    .insertInto('sign_ins')
    .values({
      id: newId(),
      user_id: userId,
      hash: hash('sha256', secret),
      created_at: now,
      expires_at: now + SIGN_IN_SECONDS * 1000,
    })
    .execute()
  return secret
}

const findByHash = prepareQuery((db, secretHash: string) =>
  db.selectFrom('sign_ins').select(['id', 'user_id', 'expires_at']).where('hash', '=', secretHash),
)

/** A sign-in grants all scopes. */
export async function findSignedIn(db: Database, secret: string): Promise<Caller | undefined> {
  const [row] = await findByHash.read(db, hash('sha256', secret))
  if (!row || row.expires_at <= Date.now()) return undefined
  return { userId: row.user_id, tokenId: row.id, signInId: row.id, scopes: SCOPES }
}

export async function endSignIn(db: Database, id: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('id', '=', id).execute()
}

/** Ends all sign-ins but the current one. After a password change, the old password must give no access. */
export async function endOtherSignIns(
  db: Database,
  userId: string,
  kept: string | undefined,
): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .$if(kept !== undefined, (query) => query.where('id', '!=', kept!))
    .execute()
}

export async function forgetOldSignIns(db: Database): Promise<void> {
  await db.deleteFrom('sign_ins').where('expires_at', '<', Date.now()).execute()
}
