import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { scriptedModel, startTestServer } from '../../../test/harness.ts'

const SOURCES = {
  hours: 'The museum is open daily from 9 to 17, on Fridays until 21.',
  prices: 'A ticket costs 12 euros. Children under seven enter the museum free of charge.',
  cafe: 'The café of the museum serves soup, cake and fair-traded coffee on the roof.',
}

suite('the markers in a model’s answer', async () => {
  const script = scriptedModel()
  const { owner, services } = await startTestServer({ after }, { models: [script.model] })
  const chatbot = await owner.createChatbot({ show_citations: true, rate_limit: [1000, 1] })
  for (const [name, text] of Object.entries(SOURCES)) {
    const upload = await owner.upload(chatbot, `${name}.txt`, text)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  }
  const session = await owner.createSession(chatbot)

  /** Streams a text in small pieces and returns the final answer. `{hours}` stands for that source's marker. */
  async function answer(text: string, settings: object = { show_citations: true }) {
    await owner.json('POST', `/chatbot/${chatbot}/update`, settings)
    const asking = owner.ask(session, 'museum open ticket café')
    while (script.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const { prompt } = script.calls.pop()!
    const markers: Record<string, string> = {}
    for (const [, marker, name] of prompt.matchAll(/^\[(\d\.\d)\] (\w+)\.txt$/gm))
      markers[name!] = marker!
    const filled = text.replaceAll(/\{(\w+)\}/g, (_, name) => markers[name] ?? name)
    // Split like a model's tokens: a space comes with the word after it.
    for (const piece of filled.split(/(?= )|(?<! )/)) script.say(piece)
    script.finish()
    const sent = await (await asking).text()
    const message = (await owner.messages(session)).at(-1)
    assert.equal(message.response, sent)
    const named = Object.entries(markers).reduce(
      (known, [name, marker]) => known.replaceAll(`[${marker}]`, `[${name}]`),
      sent,
    )
    return { text: named, message, markers }
  }

  for (const [what, given, expected] of [
    [
      'that are right stay',
      'Open until 21 on Fridays [{hours}].',
      'Open until 21 on Fridays [hours].',
    ],
    [
      'that are shifted go to the passage that is quoted',
      'A ticket costs 12 euros [{cafe}].',
      'A ticket costs 12 euros [prices].',
    ],
    [
      'that are invented go there too',
      'Children under seven enter free of charge [7.3].',
      'Children under seven enter free of charge [prices].',
    ],
    [
      'that are invented for something invented are removed, with their space',
      'Dogs have to stay outside, sadly [7.3].',
      'Dogs have to stay outside, sadly.',
    ],
    [
      'in another language stay as they are',
      'Das Haus schließt freitags spät abends [{hours}].',
      'Das Haus schließt freitags spät abends [hours].',
    ],
    [
      'of several statements are judged one by one',
      'The café serves soup [{cafe}]. A ticket costs 12 euros [{cafe}].',
      'The café serves soup [cafe]. A ticket costs 12 euros [prices].',
    ],
    [
      'in one bracket are taken apart, each once',
      'Open daily from 9, a ticket costs 12 euros [{hours}, {prices}; {hours}].',
      'Open daily from 9, a ticket costs 12 euros [hours][prices].',
    ],
    [
      'in words are understood',
      'Open from 9 to 17 (see passage {hours}).',
      'Open from 9 to 17 [hours].',
    ],
    ['with a dagger, too', 'Open from 9 to 17 【{hours}†source】.', 'Open from 9 to 17 [hours].'],
    [
      'of a source alone find its passage',
      'Cake on the roof [Source 9].',
      'Cake on the roof [cafe].',
    ],
    [
      'that are none are left alone',
      'See [the list] (all of it), x[i], [2024].',
      'See [the list] (all of it), x[i], [2024].',
    ],
    ['in code are left alone', 'Write `a[1]` for it.', 'Write `a[1]` for it.'],
    ['that never end are text', 'Open daily [1.', 'Open daily [1.'],
  ] as const) {
    test(what, async () => {
      assert.equal((await answer(given)).text, expected)
    })
  }

  test('are removed where the chatbot shows none', async () => {
    const { text, message } = await answer('Open daily from 9 [{hours}], says [1].', {
      show_citations: false,
    })
    assert.equal(text, 'Open daily from 9, says [1].')
    assert.equal(message.cite_data_json, '{}')
  })

  test('are not taken from the words of a source where the chatbot shows none', async () => {
    const quoting = await owner.createChatbot({ model: 'docent-quote', show_citations: false })
    await owner.createPair(quoting, 'Where is the rule?', 'See [1.1] of the manual.')
    const session = await owner.createSession(quoting)
    await (await owner.ask(session, 'Where is the rule?')).text()
    const [message] = await owner.messages(session)
    assert.equal(message.response, 'See [1.1] of the manual.')
    assert.equal(message.cite_data_json, '{}')
    assert.deepEqual(JSON.parse(message.meta_json).receipts, {})
  })

  test('have receipts that hold: the range of the revision is the text that is cited', async () => {
    const { message, markers } = await answer(
      'Open daily from 9 to 17 [{hours}]. A ticket costs 12 euros [9.9].',
    )
    const cited = JSON.parse(message.cite_data_json)
    const { receipts } = JSON.parse(message.meta_json)
    assert.deepEqual(Object.keys(cited).sort(), [markers.hours, markers.prices].sort())
    assert.deepEqual(Object.keys(receipts).sort(), Object.keys(cited).sort())
    for (const [marker, { data_source_uuid, revision, start, end }] of Object.entries<{
      data_source_uuid: string
      revision: string
      start: number
      end: number
    }>(receipts)) {
      const { text } = await services.db
        .selectFrom('revisions')
        .select('text')
        .where('source_id', '=', data_source_uuid)
        .where('hash', '=', revision)
        .executeTakeFirstOrThrow()
      assert.equal(hash('sha256', text), revision)
      assert.equal(text.slice(start, end), cited[marker].text)
    }
  })

  test('of an answer that is stopped in the middle are cited as well', async () => {
    const asking = owner.ask(session, 'museum open ticket café')
    while (script.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    script.calls.pop()
    script.say('The museum is open daily from 9 [7.7]. And')
    const response = await asking
    const uuid = response.headers.get('x-message-uuid')
    await owner.json('POST', `/message/${uuid}/stop`)
    const { body } = await owner.json('GET', `/message/${uuid}`)
    assert.equal(body.finish_reason, 'cancelled')
    assert.equal(Object.keys(JSON.parse(body.cite_data_json)).length, 1)
  })
})
