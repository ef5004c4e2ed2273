import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import type { Database } from './database.ts'

// A store marks itself when its content has moved, and is then no longer served: two active copies would diverge. A
// store that is still being copied to is not served yet.

const NAME = 'move'
const UNFINISHED = 'unfinished'
/** The first server that opens the store removes this mark. Until then, the last step of a move can be repeated. */
export const COMPLETE = 'complete'

function markOf(folder: string): string {
  return join(folder, 'moved.txt')
}

/** Returns the destination of a moved data folder. Undefined: the data is still here. */
export function findFolderMove(folder: string): string | undefined {
  const file = markOf(folder)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Written atomically: on a full disk, an empty mark would say that the data moved to nowhere. */
export function markFolder(folder: string, value: string = UNFINISHED): void {
  const partial = `${markOf(folder)}.partial`
  try {
    writeFileSync(partial, `${value}\n`, { mode: 0o600, flush: true })
    renameSync(partial, markOf(folder))
  } finally {
    rmSync(partial, { force: true })
  }
}

export function unmarkFolder(folder: string): void {
  rmSync(markOf(folder), { force: true })
}

export function refuseMovedFolder(folder: string): void {
  checkMovedFolder(folder)
  unmarkFolder(folder)
}

/** Like `refuseMovedFolder`, without removing the mark. */
export function checkMovedFolder(folder: string): void {
  const target = findFolderMove(folder)
  if (target === undefined || target === COMPLETE) return
  if (target === UNFINISHED) throw unfinished()
  throw new AppError(
    'conflict',
    `The data in ${folder} was moved to ${target}. Set DATABASE_URL to it. To use the old data anyway, delete ${markOf(folder)}.`,
  )
}

/** Like `findFolderMove`, for PostgreSQL. */
export async function findDatabaseMove(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('shared_values')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return row?.value
}

export async function markDatabase(db: Database, value: string = UNFINISHED): Promise<void> {
  await db
    .insertInto('shared_values')
    .values({ name: NAME, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute()
}

export async function refuseMovedDatabase(db: Database): Promise<void> {
  const target = await checkMovedDatabase(db)
  if (target === undefined) return
  await db.deleteFrom('shared_values').where('name', '=', NAME).execute()
}

/** Like `refuseMovedDatabase`, without removing the mark. */
export async function checkMovedDatabase(db: Database): Promise<string | undefined> {
  const target = await findDatabaseMove(db)
  if (target === undefined || target === COMPLETE) return target
  if (target === UNFINISHED) throw unfinished()
  throw new AppError(
    'conflict',
    `The data in this database was moved to ${target}. Remove DATABASE_URL.`,
  )
}

function unfinished(): AppError {
  return new AppError(
    'conflict',
    'This database is incomplete because a move or a restore was interrupted. Run that command again. For a move, use the settings of the old database and --finish.',
  )
}
