import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { temporaryFolder } from '../../../test/harness.ts'
import { insertMessages, insertSessions } from '../../../test/insert-messages.ts'
import { ONLY_SQLITE, openTestDatabase } from '../../../test/test-database.ts'
import { databaseFile } from '../../database/data-folder.ts'
import { newId } from '../../database/rows/ids.ts'
import { openSqlite } from '../../database/sqlite/open-sqlite.ts'
import { createUser } from '../accounts/users.store.ts'
import { createChatbot } from '../chatbots/chatbots.store.ts'
import { createSource } from '../sources/sources.store.ts'
import { measureUse } from './owner-use.store.ts'

test(
  'measuring an owner’s use can be cancelled at each row that it reads',
  ONLY_SQLITE,
  async (t) => {
    const folder = temporaryFolder(t)
    const { db } = await openTestDatabase(t, folder)
    const { id: owner } = await createUser(db, 'somebody')
    const chatbot = await createChatbot(db, owner, { name: 'Bot', settings: {} })
    const meta = { question: 'q', answer: 'a' }
    const sources: string[] = []
    for (let i = 0; i < 5; i++)
      sources.push((await createSource(db, chatbot, { type: 'qa', title: 'q', meta })).id)
    const revision = { hash: 'h', text: 'text', created_at: 0 }
    for (const source_id of sources)
      await db
        .insertInto('revisions')
        .values({ source_id, ...revision })
        .execute()
    const pieces = Array.from({ length: 20 }, (_, starts_at) => {
      return { source_id: sources[0]!, hash: 'h', starts_at, packed: Buffer.from('x') }
    })
    await db.insertInto('revision_pieces').values(pieces).execute()
    await insertSessions(db, chatbot.id, 6)
    const session = { id: newId(), chatbot_id: chatbot.id, created_at: 0, modified_at: 0 }
    await db.insertInto('sessions').values(session).execute()
    await insertMessages(db, session.id, 30)

    const queries: CompiledQuery[] = []
    const executor = db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    t.mock.method(executor, 'executeQuery', ((query) => {
      queries.push(query)
      return execute(query)
    }) as typeof executor.executeQuery)
    const { sources: counted, sessions, messages } = await measureUse(db, owner)
    assert.deepEqual([counted, sessions, messages], [5, 7, 30])

    let asked = 0
    let isCancelled = false
    const reader = openSqlite(databaseFile(folder), {
      readOnly: true,
      isCancelled: () => {
        asked += 1
        return isCancelled
      },
    })
    t.after(() => reader.close())
    const rowsOf = { sources: 5, revisions: 5, revision_pieces: 20, sessions: 7, messages: 30 }
    for (const { sql, parameters } of queries) {
      const table = [...sql.matchAll(/(?:from|join) "(\w+)"/g)].at(-1)![1]!
      if (table === 'chatbots') continue
      const read = () => reader.prepare(sql).all(...(parameters as string[]))
      isCancelled = false
      asked = 0
      read()
      assert.ok(asked >= rowsOf[table as keyof typeof rowsOf], `${asked} times for ${table}`)
      isCancelled = true
      assert.throws(read, /cancelled/, table)
    }
    assert.equal(queries.length, 6)
  },
)
