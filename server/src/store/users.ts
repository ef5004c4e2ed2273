import type { Database } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import { AppError, notFound } from '../errors.ts'
import { newId } from './ids.ts'

export type User = Row<'users'>

export async function createUser(db: Database, name: string): Promise<User> {
  if (await findUserByName(db, name)) {
    throw new AppError('conflict', `There is a user "${name}" already.`)
  }
  const now = Date.now()
  return db
    .insertInto('users')
    .values({ id: newId(), name, created_at: now, modified_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findUserByName(db: Database, name: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()
}

/** The one whom a command names; otherwise the first. */
export async function getUserToActFor(db: Database, name: string | undefined): Promise<User> {
  const user = name === undefined ? (await listUsers(db))[0] : await findUserByName(db, name)
  if (user) return user
  throw new AppError(
    'not_found',
    name === undefined
      ? 'There are no users yet: start the server first.'
      : `There is no user "${name}". "docent user create ${name}" makes one.`,
  )
}

export async function getUser(db: Database, id: string): Promise<User> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) throw notFound('user')
  return user
}

/** Whether anybody can sign in with a password yet. */
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
 * Gives the first user, whom the first start made, a name and a password. In one statement, so that of two people
 * who try at once one is told that there is an account already.
 */
export async function createFirstAccount(
  db: Database,
  { name, password }: { name: string; password: string },
): Promise<User> {
  const [first, ...others] = await listUsers(db)
  if (others.some((user) => user.name === name)) {
    throw new AppError('conflict', `There is a user "${name}" already.`)
  }
  const account = await db
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
    .executeTakeFirst()
  if (!account) throw new AppError('conflict', 'There is an account already: sign in.')
  return account
}

export async function setPassword(db: Database, userId: string, password: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password, modified_at: Date.now() })
    .where('id', '=', userId)
    .execute()
}

export function listUsers(db: Database): Promise<User[]> {
  return db.selectFrom('users').selectAll().orderBy('id').execute()
}
