import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { copyPassages, digestPassages } from './copy-passages.ts'
import { copyTable } from './copy-table.ts'
import { type Digest, digestTable, STORE_TABLES } from './store-tables.ts'

/** Makes the target equal to the source. Returns how many rows it wrote or removed. */
export async function copyStore(
  from: Database,
  to: Database,
  say: (line: string) => void = () => {},
): Promise<number> {
  let changes = 0
  const done = (name: string, changed: number) => {
    changes += changed
    say(`${name}: ${changed === 0 ? 'no changes' : `${changed.toLocaleString('en')} changed`}`)
  }
  const last = STORE_TABLES.at(-1)!
  for (const table of STORE_TABLES.slice(0, -1)) done(table.name, await copyTable(from, to, table))
  done('passages', await copyPassages(from, to))
  done(last.name, await copyTable(from, to, last))
  return changes
}

/** Compares every table by row count and hash. Throws if one differs. */
export async function compareStores(from: Database, to: Database): Promise<Record<string, Digest>> {
  const digests = [
    ...STORE_TABLES.map((table) => ({
      name: table.name,
      digest: (db: Database) => digestTable(db, table),
    })),
    { name: 'passages', digest: digestPassages },
  ]
  const tables: Record<string, Digest> = {}
  for (const { name, digest } of digests) {
    const [given, copied] = await Promise.all([digest(from), digest(to)])
    if (given.rows !== copied.rows || given.sha256 !== copied.sha256) {
      throw new AppError(
        'internal',
        `The copy of ${name} differs (${given.rows} rows here, ${copied.rows} there). The old database stays in use. Run the command again.`,
      )
    }
    tables[name] = copied
  }
  return tables
}
