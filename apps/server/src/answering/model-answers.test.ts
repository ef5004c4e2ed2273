import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { scriptedModel, startTestServer } from '../../test/harness.ts'
import { startProvider } from '../../test/local-provider.ts'
import { RefusalMark } from './text/refusal-mark.ts'
import { MarkerRepair } from './text/repair-markers.ts'

const HOURS = '# Visit\n\nThe house is open daily from 9 to 17. A ticket costs 12 euros.\n'
const CITED = 'Open daily from 9 to 17 [1.1]. A ticket costs 12 euros [1.1][1.1], says the list.'
const PLAIN = 'Open daily from 9 to 17. A ticket costs 12 euros, says the list.'
const SHOWN = 'Open daily from 9 to 17 [1.1]. A ticket costs 12 euros [1.1], says the list.'
const REFUSED = '[none] I did not find it in the sources.'
const SORRY = 'I did not find it in the sources.'

suite('of a language model’s answer', async () => {
  const script = scriptedModel()
  const { owner, address } = await startTestServer({ after }, { models: [script.model] })

  async function chatbotWith(settings: object, files: Record<string, string> = {}) {
    const chatbot = await owner.createChatbot({ rate_limit: [10_000, 1], ...settings })
    for (const [name, content] of Object.entries(files)) {
      const upload = await owner.upload(chatbot, name, content)
      await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    }
    return chatbot
  }

  const files = { 'visit.md': HOURS }
  const plain = await chatbotWith({}, files)
  const citing = await chatbotWith({ show_citations: true }, files)
  const empty = await chatbotWith({ prompt: 'We are open from 9.' })

  async function answer(chatbot: string, pieces: string[], question = 'When are you open?') {
    for (const piece of pieces) script.say(piece)
    script.finish()
    const session = await owner.createSession(chatbot)
    const text = await (await owner.ask(session, question)).text()
    const [message] = await owner.messages(session)
    assert.equal(message.response, text)
    return { text, message, meta: JSON.parse(message.meta_json), answered: answeredOf(message) }
  }

  test('markers and refusals are asked for, whether the chatbot shows citations or not', async () => {
    for (const chatbot of [plain, citing]) {
      await answer(chatbot, [CITED])
      const { system } = script.calls.at(-1)!
      assert.match(system, /\[1\.1\]/)
      assert.match(system, /\[none\]/)
    }
  })

  test('markers are taken out with the space before them unless citations are shown', async () => {
    const hidden = await answer(plain, [CITED])
    assert.equal(hidden.text, PLAIN)
    assert.equal(hidden.message.cite_data_json, '{}')
    assert.deepEqual(hidden.meta.receipts, {})
    assert.equal(hidden.answered, true)
    const shown = await answer(citing, [CITED])
    assert.equal(shown.text, SHOWN)
    assert.equal(shown.answered, true)
  })

  test('markers are taken out wherever a model cuts them', async () => {
    for (let at = CITED.indexOf('17') + 2; at <= CITED.indexOf('. A') + 1; at++) {
      const { text, answered } = await answer(plain, [CITED.slice(0, at), CITED.slice(at)])
      assert.deepEqual([text, answered], [PLAIN, true], `cut at ${at}`)
    }
  })

  test('a mark of refusal is never shown, and says that nothing was answered', async () => {
    for (let at = 0; at <= '[none] I'.length; at++) {
      for (const chatbot of [plain, citing]) {
        const { text, answered } = await answer(chatbot, [REFUSED.slice(0, at), REFUSED.slice(at)])
        assert.deepEqual([text, answered], [SORRY, false], `cut at ${at}`)
      }
    }
    for (const given of ['\n[None]\n\n', '**[none]** ', '`[NONE]`: ', '[none] [none] ', '[none].'])
      assert.equal((await answer(plain, [given + SORRY])).text, SORRY, given)
  })

  test('a mark of refusal alone becomes a sentence in the language of the question', async () => {
    for (const pieces of [['[none]'], ['[no', 'ne]', '\n'], ['[none] [1.1]']]) {
      const { text, answered, message } = await answer(plain, pieces)
      assert.match(text, /^I .*(?:find|found|know)/i)
      assert.deepEqual([answered, message.finish_reason], [false, 'stop'])
    }
    const { text } = await answer(plain, ['[none]'], 'Wo kann ich hier mein Fahrrad abstellen?')
    assert.match(text, /nicht|keine/)
  })

  test('times and ranges in brackets are text', async () => {
    const said = 'The day: [09:30] opening, [10:15] talk, and items [1:5].'
    for (const chatbot of [plain, citing]) assert.equal((await answer(chatbot, [said])).text, said)
  })

  test('[none] in the middle is text', async () => {
    const said = 'The list has an entry [none] for Sundays [1.1].'
    assert.equal((await answer(plain, [said])).text, 'The list has an entry [none] for Sundays.')
  })

  test('an answer without a valid marker is none where passages were given', async () => {
    for (const chatbot of [plain, citing]) {
      const { text, answered } = await answer(chatbot, ['Ask at the desk [7.7].'])
      assert.deepEqual([text, answered], ['Ask at the desk.', false])
    }
  })

  test('without passages only a refusal tells', async () => {
    const { meta } = await answer(empty, ['We are open from 9.'])
    assert.equal('answered' in meta, false)
    assert.equal((await answer(empty, [REFUSED])).answered, false)
  })

  test('small talk is no gap in the sources', async () => {
    for (const question of ['Hello!', 'Thanks, bye']) {
      assert.equal((await answer(plain, ['Hello there!'], question)).answered, true)
    }
    assert.equal((await answer(plain, [REFUSED], 'Hello!')).text, SORRY)
  })

  test('what it did not answer is in the report of gaps, and nothing else', async () => {
    const chatbot = await chatbotWith({}, files)
    await answer(chatbot, [REFUSED], 'Is there parking?')
    await answer(chatbot, ['Maybe.'], 'Are dogs allowed?')
    await answer(chatbot, [CITED])
    await answer(chatbot, ['Hi!'], 'Hello!')
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/unanswered`)
    const questions = (body as { question: string }[]).map(({ question }) => question)
    assert.deepEqual(questions.sort(), ['Are dogs allowed?', 'Is there parking?'])
  })

  test('code keeps what looks like a marker', async () => {
    const code = 'Run `a[1.1]` [1.1]:\n\n```js\nx = y[1.1]\n```\n\n~~~\nz[1.1]\n~~~\n\nDone [1.1].'
    const left = 'Run `a[1.1]`:\n\n```js\nx = y[1.1]\n```\n\n~~~\nz[1.1]\n~~~\n\nDone.'
    assert.equal((await answer(plain, [...code])).text, left)
    const loose = 'Press ` to open [1.1].\n\nIt is open daily [1.1].'
    assert.equal((await answer(plain, [loose])).text.includes('daily.'), true)
  })

  test('paragraphs, lists and tables stay what they are without their markers', async () => {
    for (const [given, left] of [
      ['Open daily.\n\n[1.1] It costs 12.', 'Open daily.\n\nIt costs 12.'],
      ['Open daily.\n[1.1]\n\nIt costs 12. [1.1]', 'Open daily.\n\nIt costs 12.'],
      ['- [1.1] Open\n- Daily [1.1]\n', '- Open\n- Daily'],
      ['| 9 [1.1] | 17 [1.1]|', '| 9 | 17|'],
      ['[1.1] Open', 'Open'],
      ['Open ([1.1], [1.1]).', 'Open.'],
      ['Open [1.1]daily', 'Open daily'],
      ['Use items[1] daily [1.1].', 'Use items[1] daily.'],
      ['See [40] and [the list] [1.1].', 'See [40] and [the list].'],
    ] as const) {
      assert.equal((await answer(plain, [given])).text.trimEnd(), left)
      assert.equal(
        (await answer(plain, [...given])).text.trimEnd(),
        left,
        `${given}, letter by letter`,
      )
    }
  })

  test('programs that speak OpenAI’s interface get it without the marks, too', async () => {
    for (const stream of [false, true]) {
      for (const [said, left] of [
        [CITED, PLAIN],
        [REFUSED, SORRY],
      ] as const) {
        for (const piece of said) script.say(piece)
        script.finish()
        const response = await fetch(`${address}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${owner.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            model: plain,
            stream,
            messages: [{ role: 'user', content: 'When are you open?' }],
          }),
        })
        const body = await response.text()
        const text = stream
          ? [...body.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part).join('')
          : JSON.parse(body).choices[0].message.content
        assert.equal(text, left)
      }
    }
  })
})

test('through a provider, marks are taken out byte by byte', async (t) => {
  const provider = await startProvider(t)
  const { owner } = await startTestServer(t, {
    environment: {
      OPENAI_API_KEY: provider.key,
      OPENAI_BASE_URL: `${provider.address}/v1`,
      OPENAI_MODELS: 'local-test=16000',
    },
  })
  const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
  const upload = await owner.upload(chatbot, 'visit.md', HOURS)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  for (const [said, left, answered] of [
    [CITED, PLAIN, true],
    [REFUSED, SORRY, false],
  ] as const) {
    provider.replies = [{ words: [...said], bytesAtOnce: 7 }]
    const session = await owner.createSession(chatbot)
    assert.equal(await (await owner.ask(session, 'When are you open?')).text(), left)
    assert.equal(answeredOf((await owner.messages(session))[0]), answered)
  }
})

test('however a text is cut, what is left of it is the same', () => {
  const piece = fc.constantFrom(
    ...[
      '[none]',
      '[no',
      'ne]',
      '[1.1]',
      '[1',
      '.1]',
      ' ',
      '\n',
      '\n\n',
      '`',
      '```',
      '~~~',
      '(',
      ')',
    ],
    ...['.', 'Open', 'daily', '- ', '[7.7]', '**', '[1]', 'see ', '|', '【1.1†a】'],
  )
  const passages = [{ marker: '1.1', title: 'Visit', text: HOURS, meta: '{}' }] as never
  const finishText = (pieces: string[], show: boolean) => {
    const repair = new MarkerRepair(passages, show)
    const refusal = new RefusalMark()
    const texts = pieces.map((one) => refusal.add(repair.add(one)))
    const text = texts.join('') + refusal.add(repair.end()) + refusal.end()
    return { text, isRefusal: refusal.isThere, isGrounded: repair.markers.size > 0 }
  }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.boolean(), (pieces, shows) => {
      // A visible marker always has a space before it, so the comparison ignores white space.
      const finish = (given: string[], show: boolean) => {
        const { text, ...marks } = finishText(given, show)
        return { text: show ? text.replace(/\s+/g, '') : text, ...marks }
      }
      const whole = finish([pieces.join('')], shows)
      assert.deepEqual(finish([...pieces.join('')], shows), whole)
      assert.deepEqual(finish(pieces, shows), whole)
      if (!shows) assert.doesNotMatch(whole.text, /^\s*\[none\]/)
    }),
    {
      numRuns: 2000,
      // A removed marker once took the end of a paragraph along, and what followed counted as code.
      examples: [[['`', '\n\n', '[7.7]', ')', '【1.1†a】'], true]],
    },
  )
})

function answeredOf({ meta_json }: { meta_json: string }): unknown {
  return JSON.parse(meta_json).answered
}
