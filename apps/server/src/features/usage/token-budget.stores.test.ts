import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import {
  type Client,
  countRefusals,
  scriptedModel,
  startTestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import { openTestDatabase } from '../../../test/test-database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { asOwned } from '../../database/rows/owned.ts'
import type { LanguageModel } from '../../models/model-catalog.ts'
import { createUser } from '../accounts/users.store.ts'
import { createChatbot } from '../chatbots/chatbots.store.ts'
import { acceptQuestion, interruptRunningMessages } from '../messages/messages.store.ts'
import { interruptAbandoned } from '../messages/running-answers.store.ts'
import { createSession } from '../sessions/sessions.store.ts'

const QUESTIONS = 30
const COST = 800

/** Holds its answers until the test has sent all questions. */
function expensiveModel(): { model: LanguageModel; calls: number; answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const tokens = { prompt_tokens: COST - 100, completion_tokens: 100, total_tokens: COST }
  const state = {
    calls: 0,
    answer: resolve,
    model: {
      name: 'expensive',
      provider: 'test',
      limits: { contextTokens: 8_192, maxOutputTokens: 1_000 },
      async *stream() {
        state.calls += 1
        await promise
        yield { type: 'text-delta' as const, text: 'Yes.' }
        yield { type: 'finish' as const, reason: 'stop' as const, tokens }
      },
    },
  }
  return state
}

async function withBudget(client: Client, token_budget: number): Promise<string> {
  const chatbot = await client.createChatbot({ rate_limit: [10_000, 60] })
  await client.json('POST', `/chatbot/${chatbot}/usage/budget`, { token_budget })
  return chatbot
}

async function askAtOnce(client: Client, chatbot: string, questions: number) {
  const sessions = await Promise.all(
    Array.from({ length: questions }, () => client.createSession(chatbot)),
  )
  return sessions.map((session) => client.ask(session, 'How much is it?'))
}

async function spentBy(client: Client, chatbot: string): Promise<number> {
  return (await client.json('GET', `/chatbot/${chatbot}/usage`)).body.total_tokens
}

suite('the token budget of a chatbot', () => {
  test('is not exceeded by questions that are asked at once', async (t) => {
    const expensive = expensiveModel()
    const { owner, services, address } = await startTestServer(t, { models: [expensive.model] })
    const chatbot = await withBudget(owner, 2_000)
    const asked = await askAtOnce(owner, chatbot, QUESTIONS)
    const refused = await Promise.race(asked)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) < 60, 'it is soon known what is left')
    const { error, code, details } = (await refused.json()) as Record<string, unknown>
    assert.match(String(error), /Running answers have reserved/)
    assert.equal(code, 'token_budget_reserved')
    assert.deepEqual(details, { limit: 'token_budget' })
    const others = QUESTIONS - 1
    await until(async () =>
      (await countRefusals(address, 'token_budget')) === others ? true : undefined,
    )
    assert.equal(expensive.calls, 1, 'an estimate is more than the budget')
    expensive.answer()
    const replies = await Promise.all(asked)
    const accepted = replies.filter(({ status }) => status === 200)
    assert.equal(accepted.length, 1)
    await Promise.all(accepted.map((answer) => answer.text()))
    assert.equal(await spentBy(owner, chatbot), COST)

    // The rest of the budget can be spent one question at a time, and never exceeded.
    const session = await owner.createSession(chatbot)
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) {
      const answer = await owner.ask(session, 'And now?')
      await answer.text()
      statuses.push(answer.status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
    assert.equal(await spentBy(owner, chatbot), 3 * COST)
    const left = await services.db.selectFrom('token_reservations').selectAll().execute()
    assert.deepEqual(left, [])
  })

  test('lets as many answers run at once as it has room for', async (t) => {
    const expensive = expensiveModel()
    const { owner } = await startTestServer(t, { models: [expensive.model] })
    const chatbot = await withBudget(owner, 50_000)
    const asked = await askAtOnce(owner, chatbot, QUESTIONS)
    const first = await Promise.race(asked)
    assert.equal(first.status, 429)
    const running = await until(() => (expensive.calls > 5 ? expensive.calls : undefined))
    assert.ok(running < QUESTIONS, `${running}`)
    expensive.answer()
    const replies = await Promise.all(asked)
    await Promise.all(replies.map((answer) => answer.text()))
    const spent = await spentBy(owner, chatbot)
    assert.equal(spent, replies.filter(({ status }) => status === 200).length * COST)
    assert.ok(spent <= 50_000)
  })

  test('gets back what was reserved for an answer that is stopped, deleted or fails', async (t) => {
    const script = scriptedModel()
    const { owner } = await startTestServer(t, { models: [script.model] })
    const chatbot = await withBudget(owner, 100)
    const session = await owner.createSession(chatbot)
    const other = await owner.createSession(chatbot)
    for (const end of ['stop', 'delete', 'fail']) {
      const calls = script.calls.length
      const asked = owner.ask(session, 'Anybody there?').then((answer) => answer.text())
      await until(() => (script.calls.length > calls ? true : undefined))
      assert.equal((await owner.ask(other, 'And me?')).status, 429, end)
      const { uuid } = (await owner.messages(session)).at(-1)
      if (end === 'fail') script.fail('out of order')
      else await owner.send('POST', `/message/${uuid}/${end}`)
      await asked.catch(() => {})
    }
    script.answer('Yes.')
    assert.equal((await owner.ask(other, 'And me?')).status, 200)
  })

  test('gets back what was reserved for answers that a crash has ended', async (t) => {
    const { ask, crash } = await openCrashing(t)
    assert.ok(await ask())
    assert.equal(await ask(), undefined)
    await crash()
    assert.ok(await ask())
  })
})

async function openCrashing(t: TestContext) {
  const { db } = await openTestDatabase(t, temporaryFolder(t))
  const user = await createUser(db, 'somebody')
  const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
  await db.updateTable('chatbots').set({ token_budget: 10 }).execute()
  const session = asOwned(await createSession(db, chatbot))
  const limit = { buckets: [session.id], messages: 10, seconds: 60 }
  const reservation = { chatbotId: chatbot.id, tokens: 100 }
  const nodeId = isPostgres(db) ? 'gone' : undefined
  return {
    ask: () => acceptQuestion(db, session, 'q', limit, { reservation, nodeId }),
    crash: () => (isPostgres(db) ? interruptAbandoned(db) : interruptRunningMessages(db)),
  }
}
