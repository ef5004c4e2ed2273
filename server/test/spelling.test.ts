import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { mendSpelling } from '../src/search/mend-spelling.ts'
import { startTestServer } from './harness.ts'

const { owner } = await startTestServer({ after })
const chatbot = await owner.createChatbot({ show_citations: true, rate_limit: [1000, 1] })
const DOCUMENTS = {
  'cafe.txt': 'Pumpkin soup is served on the roof between noon and three.',
  'keys.txt': 'Mrs Anderson keeps the key of the archive. Reservations are made by telephone.',
  'prize.txt': 'The Andersen prize is given to books for children.',
}
for (const [name, text] of Object.entries(DOCUMENTS)) {
  const response = await owner.upload(chatbot, name, text)
  const { uuid } = (await response.json()) as { uuid: string }
  assert.equal((await owner.settled(uuid)).status, 'success')
}

async function search(query: string, options = {}): Promise<{ text: string; score: number }[]> {
  const { status, body } = await owner.json('POST', `/chatbot/${chatbot}/search`, {
    query,
    ...options,
  })
  assert.equal(status, 200)
  return body
}

async function ask(query: string) {
  const session = await owner.createSession(chatbot)
  const response = await owner.send('POST', `/session/${session}/message/non-stream`, { query })
  const { response: text } = (await response.json()) as { response: string }
  const { body } = await owner.json('GET', `/message/${response.headers.get('x-message-uuid')}`)
  const { confidence, answered } = JSON.parse(body.meta_json)
  return { query: body.query as string, text, confidence, answered }
}

suite('a slip of the keyboard', () => {
  const wrong = 'When is pumkin suop served?'
  const right = 'When is pumpkin soup served?'

  test('finds what was meant, and as surely', async () => {
    assert.deepEqual(await search(wrong), await search(right))
    const follow = { previous_query: 'Where are resrevations made?' }
    const meant = { previous_query: 'Where are reservations made?' }
    assert.deepEqual(await search('And pumkin?', follow), await search('And pumpkin?', meant))
  })

  test('is answered like what was meant, and stored as it was typed', async () => {
    const { query, ...answer } = await ask(wrong)
    assert.equal(query, wrong)
    const { query: _, ...meant } = await ask(right)
    assert.deepEqual(answer, meant)
    assert.equal(answer.answered, true)
  })

  test('is none if a source has the word', async () => {
    assert.equal((await search('Anderson'))[0]!.text, DOCUMENTS['keys.txt'])
    assert.equal((await search('Andersen'))[0]!.text, DOCUMENTS['prize.txt'])
  })

  const mend = (word: string, ...texts: string[]) => mendSpelling(word, new Set([word]), texts)

  test('is two letters that changed places, or one letter of a longer word', () => {
    assert.equal(mend('emial', 'Send an email'), 'email')
    assert.equal(mend('emale', 'Send an email'), 'emale', 'short words have many neighbours')
    assert.equal(mend('pumkin', 'Pumpkins and a pumpkin'), 'pumpkin')
    assert.equal(mend('pummpkin', 'The pumpkin'), 'pumpkin')
    assert.equal(mend('pumbkin', 'The pumpkin'), 'pumpkin')
    assert.equal(mend('pumbkn', 'The pumpkin'), 'pumbkn', 'two are too many')
    assert.equal(mend('dumpkin', 'The pumpkin'), 'dumpkin', 'first letters are seldom wrong')
  })

  test('is left alone where several words may be meant, or one that says nothing', () => {
    assert.equal(mend('casted', 'Castes', 'casket'), 'casted')
    assert.equal(mend('frmo', 'It is from here'), 'frmo')
    assert.equal(mendSpelling('pumkin', new Set(['other']), ['A pumpkin']), 'pumkin')
  })
})
