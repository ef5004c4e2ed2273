import type { Database } from '../../database/database.ts'
import { VERSION } from '../../runtime/version.ts'

/** Whether this data comes from an earlier version that answered any host name. The next version ends this. */
export async function answersAnyHost(db: Database): Promise<boolean> {
  const kept = await db
    .selectFrom('former_behavior')
    .select('kept_in_version')
    .where('name', '=', 'answers any host')
    .executeTakeFirst()
  return kept !== undefined && minor(kept.kept_in_version) === minor(VERSION)
}

function minor(version: string): string {
  return version.replace(/\.\d+$/, '')
}
