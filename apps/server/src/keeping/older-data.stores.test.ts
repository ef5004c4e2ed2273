import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { temporaryFolder } from '../../test/harness.ts'
import { docent } from '../../test/run-docent.ts'
import { createEmptyDatabase, ONLY_POSTGRES } from '../../test/test-database.ts'
import { openDatabase } from '../database/open-database.ts'

const ADVICE = /older version of Docent.*Start the server once/

/** Removes a column that a later migration added, as if an earlier version had written the data. */
async function makeOlder(dataDir: string, databaseUrl: string | undefined): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, databaseUrl, databaseConnections: 3 })
  await sql`ALTER TABLE chatbots DROP COLUMN answering`.execute(db)
  await sql`DELETE FROM kysely_migration WHERE name >= '0015'`.execute(db)
  await close()
}

async function refuses(t: TestContext, args: string[], settings: NodeJS.ProcessEnv) {
  const { code, stderr } = await docent(temporaryFolder(t), args, settings)
  assert.equal(code, 1)
  assert.match(stderr, ADVICE)
}

test(
  'data of an older version on PostgreSQL is neither backed up nor moved before a start',
  ONLY_POSTGRES,
  async (t) => {
    const folder = temporaryFolder(t)
    const DATABASE_URL = await createEmptyDatabase(t)
    await makeOlder(folder, DATABASE_URL)
    const file = join(folder, 'all.gz')
    await refuses(t, ['backup', file], { DATABASE_URL })
    assert.ok(!existsSync(file))
    await refuses(t, ['move', '--to', 'sqlite'], { DATABASE_URL })
  },
)

test(
  'data of an older version in a folder is not moved before a start',
  ONLY_POSTGRES,
  async (t) => {
    const DATA_DIR = temporaryFolder(t)
    await makeOlder(DATA_DIR, undefined)
    await refuses(t, ['move', '--to', await createEmptyDatabase(t)], { DATA_DIR })
  },
)
