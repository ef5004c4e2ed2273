import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readUntil, scriptedModel, startTestServer, until } from '../../../test/harness.ts'
import { administer } from '../../../test/test-database.ts'
import { isPostgres } from '../../database/dialect.ts'

const PAUSE_MS = 40

test('however fast a model speaks, its answer is stored and sent 25 times a second at most', async (t) => {
  const script = scriptedModel()
  const { owner, services } = await startTestServer(t, { models: [script.model] })
  const session = await owner.createSession(await owner.createChatbot())
  script.say('word 0')
  const response = await owner.ask(session, 'hi')
  const reader = response.body!.getReader()
  let text = await readUntil(reader, 'word 0')
  const begun = performance.now()
  for (let i = 1; i <= 100; i++) {
    script.say(` word ${i}`)
    await sleep(2)
  }
  text += await readUntil(reader, 'word 100')
  const most = 2 + (performance.now() - begun) / PAUSE_MS
  const parts = await services.db
    .selectFrom('message_parts')
    .selectAll()
    .orderBy('position')
    .execute()
  assert.ok(parts.length <= most, `${parts.length} parts, ${most} at most`)
  assert.equal(parts.map((part) => part.text).join(''), text)
  script.finish()
  assert.equal((await reader.read()).done, true)
})

test('an answer whose tokens can’t be counted does not seem to run for ever', async (t) => {
  const script = scriptedModel()
  const { owner, services, config } = await startTestServer(t, { models: [script.model] })
  const { db } = services
  const session = await owner.createSession(await owner.createChatbot())
  if (isPostgres(db))
    await administer(
      config.databaseUrl!,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON token_usage FOR EACH ROW EXECUTE FUNCTION refuse()`,
    )
  else
    await sql`CREATE TRIGGER refuse BEFORE INSERT ON token_usage
      BEGIN SELECT RAISE(ABORT, 'refused'); END`.execute(db)
  script.say('So it is.')
  const response = await owner.ask(session, 'hi')
  const reader = response.body!.getReader()
  await readUntil(reader, 'So it is.')
  script.finish()
  await assert.rejects(readUntil(reader, 'There is no such text'))
  const message = await until(async () => {
    const [message] = await owner.messages(session)
    return message.finish_reason === '' ? undefined : message
  })
  assert.equal(message.finish_reason, isPostgres(db) ? 'interrupted' : 'error')
  assert.equal(message.response, 'So it is.')
})
