import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import {
  scriptedModel,
  startTestServer,
  type TestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import type { Database } from '../../database/database.ts'
import { openFile } from '../../database/open-database.ts'
import { copyStore } from '../../keeping/copy-store.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Seeded, so that a failure can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Computes the expected usage by day from the messages themselves. */
async function scan(db: Database, chatbot: string, days: number, utcOffset: number) {
  const messages = await db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(['messages.created_at', 'session_id', 'finish_reason', 'meta', 'feedback'])
    .where('chatbot_id', '=', chatbot)
    .execute()
  const dayOf = (time: number) => Math.floor((time + utcOffset * MINUTE_MS) / DAY_MS)
  const today = dayOf(Date.now())
  const byDay = Map.groupBy(messages, ({ created_at }) => dayOf(created_at))
  return [...byDay.keys()]
    .filter((day) => day > today - days)
    .sort((a, b) => a - b)
    .map((day) => {
      const those = byDay.get(day)!.map(({ meta, feedback, ...message }) => {
        return { ...message, meta: JSON.parse(meta), rating: JSON.parse(feedback ?? '{}').rating }
      })
      const count = (meets: (message: (typeof those)[number]) => boolean) =>
        those.filter(meets).length
      const times = those
        .map(({ meta }) => meta.timings_ms?.first_text)
        .filter((time) => typeof time === 'number')
        .sort((a, b) => a - b)
      const ranked = (share: number) => times[Math.ceil(times.length * share) - 1] ?? null
      return {
        date: new Date(day * DAY_MS).toISOString().slice(0, 10),
        messages: those.length,
        answered: count(
          ({ finish_reason, meta }) =>
            ['stop', 'length'].includes(finish_reason) && meta.answered !== false,
        ),
        sessions: new Set(those.map(({ session_id }) => session_id)).size,
        rated_up: count(({ rating }) => rating === 'up'),
        rated_down: count(({ rating }) => rating === 'down'),
        tokens: those.reduce(
          (sum, { meta }) => sum + (meta.actual_token_distribution?.total_tokens ?? 0),
          0,
        ),
        first_text_p50: ranked(0.5),
        first_text_p95: ranked(0.95),
      }
    })
}

async function compare({ owner, services }: TestServer, chatbot: string): Promise<void> {
  for (const [days, offset] of [
    [30, 0],
    [2, 60],
    [3, 345],
    [7, -570],
    [366, 840],
  ] as const) {
    const path = `/chatbot/${chatbot}/usage/days?days=${days}&utc_offset=${offset}`
    const expected = await scan(services.db, chatbot, days, offset)
    assert.deepEqual((await owner.json('GET', path)).body, expected, path)
  }
}

async function totalsOf(db: Database) {
  const rows = await db
    .selectFrom('message_totals')
    .select(({ fn }) => [
      'chatbot_id',
      'quarter',
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('answered').as('answered'),
      fn.sum<number>('rated_up').as('rated_up'),
      fn.sum<number>('rated_down').as('rated_down'),
      fn.sum<number>('tokens').as('tokens'),
    ])
    .groupBy(['chatbot_id', 'quarter'])
    .orderBy('chatbot_id')
    .orderBy('quarter')
    .execute()
  return rows.filter(({ messages }) => messages > 0).map((row) => ({ ...row }))
}

suite('usage by day is what a scan of all messages says', () => {
  test('after questions, ratings, deletions and a copy to another store', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const { owner, services } = server
    const random = randomNumbers(7)
    const generous = { rate_limit: [1_000, 60] }
    const chatbots = [await owner.createChatbot(generous), await owner.createChatbot(generous)]
    const sessions: { uuid: string; chatbot: string }[] = []
    const messages: string[] = []
    for (const chatbot of [...chatbots, ...chatbots, ...chatbots])
      sessions.push({ uuid: await owner.createSession(chatbot), chatbot })

    const ask = async () => {
      const end = random(5)
      if (end === 0) script.fail('Broken')
      else {
        script.say('Yes.')
        script.finish((['stop', 'length', 'content_filter'] as const)[end % 3])
      }
      const session = sessions[random(sessions.length)]!
      const answer = await owner.ask(session.uuid, 'q')
      const uuid = answer.headers.get('x-message-uuid')
      await answer.text().catch(() => {})
      const listed = (await owner.messages(session.uuid)).at(-1).uuid
      messages.push(uuid ?? listed)
    }
    const put = async (values: { created_at: number } | { meta: string }) => {
      const id = messages[random(messages.length)]!
      await services.db.updateTable('messages').set(values).where('id', '=', id).execute()
    }
    const steps = [
      ask,
      ask,
      ask,
      () => put({ created_at: Date.now() - random(6 * DAY_MS) }),
      () => put({ created_at: Date.now() - random(6 * DAY_MS) }),
      () =>
        put({
          meta: JSON.stringify({
            answered: random(2) === 0,
            timings_ms: { first_text: random(1_000) / 8 },
            actual_token_distribution: { total_tokens: random(100) },
          }),
        }),
      () => {
        const uuid = messages[random(messages.length)]!
        const rating = ['up', 'down'][random(2)]
        return owner.json('POST', `/message/${uuid}/feedback`, { rating })
      },
      () => {
        const uuids = messages.splice(random(messages.length), 1 + random(2))
        return owner.json('POST', '/messages/delete', { uuids })
      },
    ]
    for (let n = 0; n < 3; n++) await ask()
    for (let n = 0; n < 60; n++) {
      await (messages.length < 3 ? ask() : steps[random(steps.length)]!())
      if (n % 20 === 0) await compare(server, chatbots[0]!)
    }
    for (const chatbot of chatbots) await compare(server, chatbot)

    const [gone] = sessions
    assert.equal((await owner.json('POST', `/session/${gone!.uuid}/delete`)).status, 200)
    for (const chatbot of chatbots) await compare(server, chatbot)

    const copy = await openFile(join(temporaryFolder(t), 'copy.db'))
    t.after(copy.close)
    await copyStore(services.db, copy.db)
    assert.deepEqual(await totalsOf(copy.db), await totalsOf(services.db))
    assert.ok((await totalsOf(copy.db)).length > 2)
  })

  test('also while an answer runs, and of none when the chatbot is gone', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const { owner, services } = server
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    script.say('Ye')
    const answer = await owner.ask(session, 'q')
    await compare(server, chatbot)
    assert.equal((await totalsOf(services.db))[0]!.answered, 0)
    script.say('s.')
    script.finish()
    await answer.text()
    await compare(server, chatbot)
    assert.equal((await totalsOf(services.db))[0]!.answered, 1)
    await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
    const left = () => services.db.selectFrom('message_totals').selectAll().execute()
    await until(async () => (await left()).length === 0 || undefined)
  })
})
