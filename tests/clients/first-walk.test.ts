import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'

test('a stranger walks from an empty chatbot to a cited answer', async (t) => {
  const { owner } = await startTestServer(t)
  const chatbot = await owner.createChatbot({ show_citations: true })
  await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
  const session = await owner.createSession(chatbot)

  const response = await owner.ask(session, 'when is it open')

  assert.equal(response.status, 200)
  assert.equal(await response.text(), 'Daily from 9 to 17. [1.1]')
})
