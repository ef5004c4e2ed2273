import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { postgresIndex } from './index-on-postgres.ts'
import { sqliteIndex } from './index-on-sqlite.ts'
import type { PassageIndex } from './passage-index.ts'

export function passageIndex(db: Database): PassageIndex {
  return isPostgres(db) ? postgresIndex : sqliteIndex
}
