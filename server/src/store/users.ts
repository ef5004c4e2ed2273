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

export async function getUser(db: Database, id: string): Promise<User> {
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  if (!user) throw notFound('user')
  return user
}

export function listUsers(db: Database): Promise<User[]> {
  return db.selectFrom('users').selectAll().orderBy('id').execute()
}
