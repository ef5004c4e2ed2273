import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readUntil, scriptedModel, startTestServer } from '../../../test/harness.ts'
import { isSafeChunk } from '../../http/streams/text-stream.ts'

// Longer than the server collects parts of an answer before it sends them.
const STEP_MS = 60

suite('an answer that is one JSON literal as a whole ends with a full stop, sent and stored alike', () => {
  const answers: Record<string, { pieces: string[]; whole: string }> = {
    'a number': { pieces: ['42'], whole: '42.' },
    'a number that grows': { pieces: ['4', '2'], whole: '42.' },
    'a number with an exponent': { pieces: ['-1', 'e', '5'], whole: '-1e5.' },
    'with white space around it': { pieces: [' ', '42', ' ', '\n'], whole: ' 42. \n' },
    'a boolean': { pieces: ['tr', 'ue'], whole: 'true.' },
    null: { pieces: ['null'], whole: 'null.' },
    'a string': { pieces: ['"quoted ', 'string"'], whole: '"quoted string".' },
    'with a marker that is removed': { pieces: ['42', ' [9.9]'], whole: '42.' },
    'a number with a sentence after it': { pieces: ['42 ', 'is it'], whole: '42 is it' },
    'no number in the end': { pieces: ['1', '.', '2.', '3'], whole: '1.2.3' },
    'a word that begins like one': { pieces: ['tr', 'ut', 'h '], whole: 'truth ' },
    'two strings': { pieces: ['"a"', ' "b" '], whole: '"a" "b" ' },
    'a list': { pieces: ['[1', ', 2]'], whole: '[1, 2]' },
    'an object': { pieces: ['{"a":', '1}'], whole: '{"a":1}' },
  }
  for (const [which, { pieces, whole }] of Object.entries(answers)) {
    test(which, async (t) => {
      const script = scriptedModel()
      const { owner } = await startTestServer(t, { models: [script.model] })
      const session = await owner.createSession(await owner.createChatbot())
      script.model.stream = async function* () {
        for (const text of pieces) {
          yield { type: 'text-delta', text }
          await sleep(STEP_MS)
        }
        const tokens = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
        yield { type: 'finish', reason: 'stop', tokens }
      }
      const asked = await owner.ask(session, 'How many?')
      const id = asked.headers.get('x-message-uuid')
      const text = await asked.text()
      assert.equal(text.trimEnd(), whole.trimEnd())
      const stored = (await owner.messages(session)).at(-1).response
      assert.equal(stored, whole)
      assert.ok(stored.startsWith(text))
      if (!/^[[{]/.test(text)) assert.ok(isSafeChunk(text))

      const again = await (await owner.send('GET', `/message/${id}/stream?offset=1`)).text()
      assert.ok(whole.slice(1).startsWith(again), again)

      const events = await (
        await owner.ask(session, 'How many?', { accept: 'text/event-stream' })
      ).text()
      const lines = events.split('\n').filter((line) => line.startsWith('data: '))
      const deltas = lines.map((line) => JSON.parse(line.slice(6)).text ?? '')
      assert.equal(deltas.join(''), whole)

      const { body } = await owner.json('POST', `/session/${session}/message/non-stream`, {
        query: 'How many?',
      })
      assert.equal(body.response, whole)
    })
  }

  test('of the built-in engine', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ model: 'docent-quote' })
    await owner.settled(await owner.createPair(chatbot, 'What is the answer to everything?', '42'))
    const session = await owner.createSession(chatbot)
    const text = await (await owner.ask(session, 'What is the answer to everything?')).text()
    assert.equal(text, '42.')
    assert.equal((await owner.messages(session)).at(-1).response, '42.')
  })

  test('when it is stopped there, but not when it breaks off', async (t) => {
    const script = scriptedModel()
    const { owner } = await startTestServer(t, { models: [script.model] })
    const session = await owner.createSession(await owner.createChatbot())
    const begin = async () => {
      script.say('42')
      const answer = await owner.ask(session, 'How many?', { accept: 'text/event-stream' })
      const id = answer.headers.get('x-message-uuid')
      const reader = answer.body!.getReader()
      await readUntil(reader, '"42"')
      return { id, rest: () => readUntil(reader, 'never') }
    }
    const stopped = await begin()
    await owner.json('POST', `/message/${stopped.id}/stop`)
    await stopped.rest()
    assert.equal((await owner.messages(session)).at(-1).response, '42.')

    const broken = await begin()
    script.fail('cut')
    await broken.rest().catch(() => {})
    const last = (await owner.messages(session)).at(-1)
    assert.equal(last.finish_reason, 'error')
    assert.equal(last.response, '42')
  })
})
