import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { startTestServer } from '../../test/harness.ts'
import { findPassages } from './find-passages.ts'
import { joinNeighbors } from './join-neighbors.ts'

const { owner, stranger, services } = await startTestServer({ after })

async function upload(chatbot: string, name: string, text: string, by = owner): Promise<string> {
  const response = await by.upload(chatbot, name, text)
  const { uuid } = (await response.json()) as { uuid: string }
  assert.equal((await by.settled(uuid)).status, 'success')
  return uuid
}

async function chatbotWith(documents: Record<string, string>, by = owner): Promise<string> {
  const chatbot = await by.createChatbot()
  for (const [name, text] of Object.entries(documents)) await upload(chatbot, name, text, by)
  return chatbot
}

interface Found {
  data_source_uuid: string
  title: string
  text: string
  score: number
  revision: string
  start: number
  end: number
}

async function search(
  chatbot: string,
  query: string,
  options: object = {},
  by = owner,
): Promise<Found[]> {
  const given = { query, ...options }
  const { status, body } = await by.json('POST', `/chatbot/${chatbot}/search`, given)
  assert.equal(status, 200)
  return body
}

const MUSEUM = {
  'hours.txt': 'The doors are unlocked at nine in the morning.',
  'prices.txt': 'Tickets cost 12 euros for adults.',
  'families.txt': 'Children pay 5 euros for a ticket.',
  'pets.txt': 'Animals have to wait outside.',
  'cafe.txt': 'Pumpkin soup is served on the roof.',
}

suite('a search', async () => {
  const museum = await chatbotWith(MUSEUM)

  test('in a script that the built-in encoder can’t read goes by words alone', async () => {
    const chatbot = await chatbotWith({
      'hours.txt': 'Музей открыт с девяти до семнадцати часов.',
      'cafe.txt': 'На крыше подают тыквенный суп.',
    })
    const scores = async (query: string) =>
      (await search(chatbot, query)).map(({ text, score }) => [text.split(' ')[0], score > 0])
    for (const query of ['Когда открыт музей?', 'Когда открыт музей Metropolitan?'])
      assert.deepEqual(await scores(query), [
        ['Музей', true],
        ['На', false],
      ])
    assert.equal((await search(museum, 'When may I come in?'))[0]!.score > 0, true)
  })

  test('finds by words, best first, with the exact range in a revision of the source', async () => {
    const found = await search(museum, 'pumpkin soup')
    assert.equal(found[0]!.text, MUSEUM['cafe.txt'])
    assert.deepEqual(
      found.map(({ score }) => score),
      found.map(({ score }) => score).toSorted((a, b) => b - a),
    )
    for (const { data_source_uuid, revision, start, end, text } of found) {
      const row = await services.db
        .selectFrom('revisions')
        .select('text')
        .where('source_id', '=', data_source_uuid)
        .where('hash', '=', revision)
        .executeTakeFirstOrThrow()
      assert.equal(row.text.slice(start, end), text)
    }
  })

  test('finds by meaning what shares no word with the question', async () => {
    for (const [query, text] of [
      ['Is my dog allowed in?', MUSEUM['pets.txt']],
      ['Do you offer lunch or dinner?', MUSEUM['cafe.txt']],
    ] as const) {
      const words = new Set(analyzeText(text))
      assert.ok(!analyzeQuestion(query).some((word) => words.has(word)))
      assert.equal((await search(museum, query))[0]!.text, text)
    }
  })

  test('puts what answers before what has more of the words, with a reader', async (t) => {
    const castle = {
      ...MUSEUM,
      'stone.txt': 'The castle was built of sandstone.',
      'monks.txt':
        'The castle, of which only the walls and one of its towers remain today, was built in 1286 by monks.',
    }
    const question = 'In which year was the castle built?'
    const withoutReader = await startTestServer(t, { environment: { READER: 'off' } })
    const read = await search(await chatbotWith(castle), question)
    const unread = await search(
      await chatbotWith(castle, withoutReader.owner),
      question,
      {},
      withoutReader.owner,
    )
    assert.deepEqual([read[0]!.text, read[1]!.text], [castle['monks.txt'], castle['stone.txt']])
    assert.deepEqual([unread[0]!.text, unread[1]!.text], [castle['stone.txt'], castle['monks.txt']])
    const [first] = await search(await chatbotWith(castle), question, { limit: 1 })
    assert.equal(first!.text, castle['monks.txt'])
  })

  test('understands a question by the one before it', async () => {
    const previous = { previous_query: 'What do tickets cost?' }
    const [first] = await search(museum, 'And for children?', previous)
    assert.equal(first!.text, MUSEUM['families.txt'])
    const [before] = await search(museum, 'And for adults?', previous)
    assert.equal(before!.text, MUSEUM['prices.txt'])
    const alone = await search(museum, 'And how much is that?')
    const together = await search(museum, 'And how much is that?', {
      previous_query: 'Do you serve pumpkin soup?',
    })
    assert.notEqual(alone[0]!.text, MUSEUM['cafe.txt'])
    assert.equal(together[0]!.text, MUSEUM['cafe.txt'])
  })

  test('gives as many as were asked for', async () => {
    assert.equal((await search(museum, 'ticket', { limit: 2 })).length, 2)
    assert.equal((await search(museum, 'ticket', { limit: 50 })).length, 5)
    const paragraphs = Array.from({ length: 12 }, (_, i) => `# Rule ${i}\n\nRule ${i} is simple.`)
    const rules = await chatbotWith({ 'rules.md': paragraphs.join('\n\n') })
    assert.equal((await search(rules, 'rule')).length, 10)
  })

  for (const [what, body] of [
    ['without a question', {}],
    ['for blanks', { query: ' \n ' }],
    ['for what is no text', { query: 5 }],
    ['for none at all', { query: 'x', limit: 0 }],
    ['for too many', { query: 'x', limit: 51 }],
    ['for a part of one', { query: 'x', limit: 1.5 }],
    ['after what is no text', { query: 'x', previous_query: ['y'] }],
  ] as const) {
    test(`${what} is refused`, async () => {
      const reply = await owner.json('POST', `/chatbot/${museum}/search`, body)
      assert.equal(reply.status, 422)
      const field = Object.keys(body).at(-1) ?? 'query'
      assert.deepEqual(reply.body.details[0].loc, ['body', field])
    })
  }

  test('takes any characters for what they are', async () => {
    for (const query of ['" OR words:*', 'NEAR(a b)', '- ^ * ( ) :', '🎨', '博物馆', "'; DROP"]) {
      const found = await search(museum, `${query} pumpkin soup`)
      assert.equal(found[0]!.text, MUSEUM['cafe.txt'], query)
      for (const { text } of await search(museum, query))
        assert.ok(Object.values(MUSEUM).includes(text), `${query} finds what is not there: ${text}`)
    }
  })

  test('of somebody else’s chatbot finds no chatbot', async () => {
    const query = { query: 'ticket' }
    assert.equal((await stranger.json('POST', `/chatbot/${museum}/search`, query)).status, 404)
  })

  test('in a chatbot without sources finds nothing', async () => {
    assert.deepEqual(await search(await owner.createChatbot(), 'ticket'), [])
  })
})

suite('what a chatbot finds', () => {
  test('is never another’s', async () => {
    const [one, other] = await Promise.all([
      chatbotWith({ 'one.txt': 'The secret word is heliotrope.' }),
      chatbotWith({ 'other.txt': 'The secret word is marzipan.' }),
    ])
    for (const query of ['secret word', 'heliotrope', 'marzipan', 'What is the password?']) {
      const texts = async (chatbot: string) =>
        (await search(chatbot, query, { limit: 50 })).map(({ text }) => text)
      assert.deepEqual(await texts(one), ['The secret word is heliotrope.'])
      assert.deepEqual(await texts(other), ['The secret word is marzipan.'])
    }
  })

  test('comes once, however many sources say it', async () => {
    const text = 'Lockers are in the basement.'
    const chatbot = await chatbotWith({ 'a.txt': text, 'b.txt': text, 'c.txt': `${text} Really.` })
    const found = await search(chatbot, 'Where are lockers?')
    assert.deepEqual(found.map((one) => one.text).sort(), [text, `${text} Really.`])
  })

  test('is nothing of a source that was deleted', async () => {
    const chatbot = await chatbotWith({ 'kept.txt': 'Umbrellas stay at the door.' })
    const source = await upload(chatbot, 'gone.txt', 'Umbrellas can be borrowed.')
    const sources = async () =>
      (await search(chatbot, 'umbrellas borrowed')).map((found) => found.data_source_uuid)
    assert.equal((await sources())[0], source)
    await owner.json('POST', `/data-source/${source}/delete`)
    assert.equal((await sources()).includes(source), false)
    assert.equal((await sources()).length, 1)
  })

  test('by the headings of a section is each of its passages', async () => {
    const paragraph = (about: string) => `${about} is looked after with great care. `.repeat(12)
    const section = ['Wool', 'Silk', 'Linen'].map(paragraph)
    const chatbot = await chatbotWith({
      'care.md': `# Conservation of textiles\n\n${section.join('\n\n')}\n\n# Coins\n\n${paragraph('Gold')}`,
    })
    const found = await search(chatbot, 'conservation of textiles', { limit: 3 })
    const subjects = found.map(({ text }) => /Wool|Silk|Linen|Gold/.exec(text)![0])
    assert.deepEqual(subjects.toSorted(), ['Linen', 'Silk', 'Wool'])
  })

  test('under a heading that asks is told from others by that heading', async () => {
    const sections = [
      ['Are refunds given?', 'Within thirty days, by the way you paid.'],
      [
        'How can you be reached?',
        'Give your number when you ask about refunds: refunds that you give back are none.',
      ],
      ['Is there a cloakroom?', 'Beside the entrance, free of charge.'],
    ]
    const chatbot = await chatbotWith({
      'faq.md': sections.map(([asked, said]) => `## ${asked}\n\n${said}`).join('\n\n'),
    })
    const found = await findPassages(
      services,
      { id: chatbot, owner_id: '' },
      'Do you give refunds?',
    )
    assert.match(found[0]!.text, /^## Are refunds given/)
    assert.equal(joinNeighbors(found).length, found.length, 'each is an answer by itself')
  })

  test('side by side is joined to the slice of the revision that holds both', async () => {
    const paragraphs = Array.from({ length: 6 }, (_, i) => `Statute ${i} 🎨 applies. `.repeat(25))
    const chatbot = await owner.createChatbot()
    const source = await upload(chatbot, 'statutes.txt', paragraphs.join('\n \t\n\n'))
    const found = await findPassages(services, { id: chatbot, owner_id: '' }, 'statute applies')
    const joined = joinNeighbors(found)
    assert.equal(found.length, 6)
    assert.ok(joined.length < 6)
    assert.equal(
      joined.reduce((sum, { count }) => sum + count, 0),
      6,
    )
    const { text } = await services.db
      .selectFrom('revisions')
      .select('text')
      .where('source_id', '=', source)
      .executeTakeFirstOrThrow()
    for (const passage of joined) {
      assert.equal(passage.text, text.slice(passage.starts_at, passage.ends_at))
      assert.equal(passage.partStarts.length, passage.count)
      for (const start of passage.partStarts) {
        assert.match(passage.text.slice(start), /^Statute/)
      }
    }
  })
})
