import { readConfig } from '../../config.ts'
import { listUsers } from '../../features/accounts/users.store.ts'
import { measureUse, rowsOf } from '../../features/owners/owner-use.store.ts'
import type { Invocation } from '../command.ts'
import { withExisting } from './open-existing.ts'

const MEGABYTE = 1024 * 1024

/** Measures the use directly in the database, with or without a running server. It does not hold up the server. */
export async function showUse({ environment, print }: Invocation): Promise<void> {
  const { rows: max_rows = null, bytes: max_bytes = null } = readConfig(environment).quotaPerOwner
  const found = await withExisting(environment, async (db) => {
    const uses = []
    for (const { id, name } of await listUsers(db)) {
      const use = await measureUse(db, id)
      uses.push({ uuid: id, name, ...use, rows: rowsOf(use), max_rows, max_bytes })
    }
    return uses
  })
  const number = (value: number) => value.toLocaleString('en')
  const outOf = (most: number | null) => (most === null ? '' : ` of ${number(most)}`)
  const lines = found.map(({ name, rows, bytes }) => {
    const megabytes = number(Math.ceil(bytes / MEGABYTE))
    const most = max_bytes === null ? null : max_bytes / MEGABYTE
    return `${name}: ${number(rows)}${outOf(max_rows)} rows, ${megabytes}${outOf(most)} MB`
  })
  print(found, lines.join('\n') || 'No users yet.')
}
