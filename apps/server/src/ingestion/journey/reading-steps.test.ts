import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { temporaryFolder, until } from '../../../test/harness.ts'
import { ONLY_SQLITE, openTestDatabase } from '../../../test/test-database.ts'
import { type Database, runInSearchThread } from '../../database/database.ts'
import { createUser } from '../../features/accounts/users.store.ts'

/** Counts users, writes a file as a signal, and counts them again on a signal from the test. */
const COUNT_TWICE = `
  import { existsSync, writeFileSync } from 'node:fs'
  const count = async (db) => (await db.selectFrom('users').select('id').execute()).length
  export const readingStep = {
    run: async (db, folder) => {
      const before = await count(db)
      writeFileSync(folder + '/counted', '')
      while (!existsSync(folder + '/go-on')) await new Promise((resolve) => setTimeout(resolve, 5))
      return [before, await count(db)]
    },
  }`

function stepIn(folder: string, name: string) {
  const module = pathToFileURL(join(folder, name)).href
  return (db: Database) =>
    runInSearchThread(db, { module, run: async (): Promise<unknown> => 'elsewhere' }, folder)
}

suite('a step that runs beside the data', ONLY_SQLITE, () => {
  test('sees one state of it, also after another could not begin', async (t) => {
    const folder = temporaryFolder(t)
    const { db, searchDb } = await openTestDatabase(t, folder)
    writeFileSync(join(folder, 'count.mjs'), COUNT_TWICE)
    const count = stepIn(folder, 'count.mjs')
    await sql`BEGIN`.execute(searchDb)
    await assert.rejects(count(searchDb), /transaction within a transaction/)
    await sql`COMMIT`.execute(searchDb)

    const counted = count(searchDb)
    await until(() => (existsSync(join(folder, 'counted')) ? true : undefined))
    await createUser(db, 'late')
    writeFileSync(join(folder, 'go-on'), '')
    assert.deepEqual(await counted, [0, 0])
    assert.deepEqual(await count(searchDb), [1, 1])
  })

  test('is loaded anew when it could not be', async (t) => {
    const folder = temporaryFolder(t)
    const { searchDb } = await openTestDatabase(t, folder)
    const say = stepIn(folder, 'say.mjs')
    await assert.rejects(say(searchDb), /Cannot find module/)
    writeFileSync(join(folder, 'say.mjs'), "export const readingStep = { run: async () => 'here' }")
    assert.equal(await say(searchDb), 'here')
  })
})
