import { type Database, runAtomically } from '../../database/database.ts'
import { lockKeys } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'
import type { Row } from '../../database/tables.ts'
import { AppError, notFound } from '../../errors.ts'
import { DELETED_OWNER_ID, ensureDeletedOwner, hidden } from '../owners/deleted-chatbots.store.ts'

export type User = Row<'users'>

export async function createUser(db: Database, name: string): Promise<User> {
  if (await findUserByName(db, name)) throw nameTaken(name)
  const now = Date.now()
  return db
    .insertInto('users')
    .values({ id: newId(), name, created_at: now, modified_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function nameTaken(name: string): AppError {
  return new AppError('conflict', `A user named "${name}" already exists.`)
}

export async function renameUser(db: Database, user: User, name: string): Promise<void> {
  if (await findUserByName(db, name)) throw nameTaken(name)
  await db
    .updateTable('users')
    .set({ name, modified_at: Date.now() })
    .where('id', '=', user.id)
    .execute()
}

/**
 * Throws if no other user could sign in. Without any password, the console would offer to create the first account
 * again, and with it the remaining chatbots.
 */
export async function refuseLastUser(db: Database, user: User): Promise<void> {
  const others = (await listUsers(db)).filter(({ id }) => id !== user.id)
  if (others.length === 0) {
    throw new AppError(
      'conflict',
      `"${user.name}" is the only user. Create another one first: docent user create NAME`,
    )
  }
  if (user.password !== null && others.every(({ password }) => password === null)) {
    throw new AppError(
      'conflict',
      `Only "${user.name}" can sign in. Set a password for another user first: docent user password NAME`,
    )
  }
}

/** Cascades delete tokens and sign-ins. Chatbots are hidden at once with everything in them, and erased later. */
export async function deleteUser(db: Database, user: User): Promise<void> {
  const others = db
    .selectFrom('users as other')
    .select('other.id')
    .where('other.id', 'not in', [user.id, DELETED_OWNER_ID])
  const deletion = db
    .deleteFrom('users')
    .where('id', '=', user.id)
    // Checked again in this write: two users who are deleted at once would each count on the other.
    .where((eb) => eb.exists(others))
    .where((eb) =>
      eb.or([
        eb('password', 'is', null),
        eb.exists(others.where('other.password', 'is not', null)),
      ]),
    )
    .returning('id')
  const hideChatbots = db.updateTable('chatbots').set(hidden()).where('owner_id', '=', user.id)
  const isDeleted = await runAtomically(db, [
    ...lockKeys(db, ['users']),
    ensureDeletedOwner(db),
    { query: hideChatbots.compile() },
    { query: deletion.compile(), mustReturn: true },
  ])
  if (isDeleted) return
  await refuseLastUser(db, await getUser(db, user.id))
  throw new AppError('conflict', `"${user.name}" has changed in the meantime. Try again.`)
}

export function findUserByName(db: Database, name: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('name', '=', name)
    .where('id', '!=', DELETED_OWNER_ID)
    .executeTakeFirst()
}

export async function getUserByName(db: Database, name: string): Promise<User> {
  const user = await findUserByName(db, name)
  if (!user) throw new AppError('not_found', `There is no user "${name}".`)
  return user
}

/** Returns the user that a command names, otherwise the first user. */
export async function getUserToActFor(db: Database, name: string | undefined): Promise<User> {
  const user = name === undefined ? (await listUsers(db))[0] : await findUserByName(db, name)
  if (user) return user
  throw new AppError(
    'not_found',
    name === undefined
      ? 'No users yet. Start the server first.'
      : `There is no user "${name}". Run "docent user create ${name}" to create it.`,
  )
}

export function getUser(db: Database, id: string): Promise<User> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('user'))
}

/** Whether any user has a password yet. */
export async function hasAccount(db: Database): Promise<boolean> {
  const account = await db
    .selectFrom('users')
    .select('id')
    .where('password', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return account !== undefined
}

/**
 * Gives the user that the first start created a name and a password. One statement, so that of two concurrent requests
 * the second gets a conflict.
 */
export async function createFirstAccount(
  db: Database,
  { name, password }: { name: string; password: string },
): Promise<User> {
  const [first, ...others] = await listUsers(db)
  if (others.some((user) => user.name === name)) throw nameTaken(name)
  return db
    .updateTable('users')
    .set({ name, password, modified_at: Date.now() })
    .where('id', '=', first?.id ?? '')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('users as any_user').select('id').where('password', 'is not', null),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirstOrThrow(() => new AppError('conflict', 'An account already exists. Sign in.'))
}

export async function setPassword(db: Database, userId: string, password: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password, modified_at: Date.now() })
    .where('id', '=', userId)
    .execute()
}

export function listUsers(db: Database): Promise<User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '!=', DELETED_OWNER_ID)
    .orderBy('id')
    .execute()
}
