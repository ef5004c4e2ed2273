import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { partsOfQuestion } from '@docent/quote/before-judge/parts-of-question.ts'
import { ask, makeChatbot } from '../../../test/asking.ts'
import { startTestServer } from '../../../test/harness.ts'

const VISIT = `# Opening hours

The museum is open daily from 9 am to 5 pm.

# Getting here

There are free places to park behind the museum. Bus 14 stops at the gate.

# Prices

A ticket costs 12 euros. Children under seven pay nothing.
`
const RULES = '# Rules\n\nDogs are not allowed in the halls. Bags are left at the cloakroom.\n'

const { owner } = await startTestServer({ after })
const museum = await makeChatbot(owner, { 'visit.md': VISIT, 'rules.md': RULES })

test('what asks for two things is told both, each with its citation', async () => {
  const answer = await ask(owner, museum, 'When are you open, and can I bring a dog?')
  assert.match(answer.text, /9 am to 5 pm\. \[1\.1\]\n\n.*Dogs are not allowed.*\[2\.1\]$/s)
  assert.equal(answer.answered, true)
  assert.deepEqual(Object.keys(answer.cited), ['1.1', '2.1'])
  assert.match(answer.cited['1.1']!.text, /9 am to 5 pm/)
  assert.match(answer.cited['2.1']!.text, /Dogs/)
  const { body } = await owner.json('GET', `/message/${answer.uuid}/citations/verify`)
  assert.deepEqual(
    body.citations.map(({ marker, verified }: { marker: string; verified: boolean }) => [
      marker,
      verified,
    ]),
    [
      ['1.1', true],
      ['2.1', true],
    ],
  )
  assert.match(answer.receipts['2.1']!.quote, /^Dogs are not allowed/)
})

test('two parts of one source have markers of their own', async () => {
  const { text, cited } = await ask(owner, museum, 'How much is a ticket? And where can I park?')
  assert.match(text, /12 euros.*\[1\.1\]\n\n.*behind the museum.*\[1\.2\]$/s)
  assert.deepEqual(Object.keys(cited), ['1.1', '1.2'])
})

test('what answers both is said once', async () => {
  const bot = await makeChatbot(owner, {
    'bakery.md': 'Anna Berg founded the bakery in 1911. It sells rye bread and rolls.',
  })
  const { text } = await ask(owner, bot, 'Who founded the bakery and when was the bakery founded?')
  assert.equal(text, 'Anna Berg founded the bakery in 1911. [1.1]')
})

suite('a later part is about what the first one names', async () => {
  const bot = await makeChatbot(owner, {
    'alp.md':
      'The Alp One weighs 12 kg. The price of the Alp One is 900 euros. The Alp One is waterproof and the warranty is three years.',
    'pro.md':
      'The Fjord Pro weighs 31 kg. The price of the Fjord Pro is 2,400 euros. The Fjord Pro is not waterproof. Its warranty is five years.',
  })
  const german = await makeChatbot(owner, {
    'alp.md': 'Das Alp One wiegt 12 kg. Das Alp One kostet 900 Euro.',
    'pro.md': 'Das Fjord Pro wiegt 31 kg. Das Fjord Pro kostet 2400 Euro.',
  })

  for (const [chatbot, questions, said] of [
    [bot, ['How heavy is the Fjord Pro and how much does it cost?'], [/31 kg/, /2,400/]],
    [bot, ['How heavy is the Fjord Pro and what is the price?'], [/31 kg/, /2,400/]],
    [bot, ['What is the price of the Fjord Pro and what is the weight?'], [/2,400/]],
    [bot, ['How heavy is the Fjord Pro and how long is the warranty?'], [/31 kg/, /five years/]],
    [bot, ['How heavy is the Fjord Pro?', 'What does it cost and is it waterproof?'], [/2,400/]],
    [german, ['Wie viel wiegt das Fjord Pro und was kostet es?'], [/31 kg/, /2400 Euro/]],
  ] as const) {
    test(`in “${questions.join(' ')}”`, async () => {
      const { text } = await ask(owner, chatbot, ...questions)
      for (const one of said) assert.match(text, one)
      assert.doesNotMatch(text, /Alp|900|three years/)
    })
  }
})

test('what stands like a marker in a source stays as it is', async () => {
  const rules = 'Dogs are not allowed in the halls, see rule [1.1] of the house.'
  for (const show_citations of [true, false]) {
    const bot = await makeChatbot(
      owner,
      { 'visit.md': VISIT, 'rules.md': rules },
      { show_citations },
    )
    const { text } = await ask(owner, bot, 'When are you open, and can I bring a dog?')
    assert.match(text, /see rule \[1\.1\] of the house/)
  }
})

test('a short answer is not left out because another one has its letters', async () => {
  const bot = await makeChatbot(owner, {})
  for (const [question, answer] of [
    ['Is there a pool?', 'No'],
    ['When are you open?', 'Now and always: No day is closed.'],
  ] as const) {
    await owner.createPair(bot, question, answer)
  }
  const { text } = await ask(owner, bot, 'Is there a pool? When are you open?')
  assert.equal(text, 'No [1.1]\n\nNow and always: No day is closed. [2.1]')
})

test('where a part is not in the sources, that is said of it, and it counts as unanswered', async () => {
  const { text, answered, confidence } = await ask(
    owner,
    museum,
    'When are you open and what is the weight of a lion?',
  )
  assert.match(
    text,
    /^The museum is open daily from 9 am to 5 pm\. \[1\.1\]\n\n“what is the weight of a lion\?”: I did not find this/,
  )
  assert.equal(answered, false)
  assert.ok(confidence < 0.3, String(confidence))
  const { body } = await owner.json('GET', `/chatbot/${museum}/unanswered`)
  assert.deepEqual(
    body.map(({ question }: { question: string }) => question),
    ['When are you open and what is the weight of a lion?'],
  )
})

test('where no part is in the sources, the question is answered as a whole', async () => {
  const { text, answered } = await ask(
    owner,
    museum,
    'How heavy is a lion and when did the emperor marry?',
  )
  assert.match(text, /^I did not find this in the sources\./)
  assert.equal(answered, false)
})

test('without citations no marker is left', async () => {
  const bot = await makeChatbot(owner, { 'visit.md': VISIT }, { show_citations: false })
  const { text, cited } = await ask(owner, bot, 'When are you open and where can I park?')
  assert.match(text, /9 am to 5 pm/)
  assert.match(text, /behind the museum/)
  assert.doesNotMatch(text, /\[/)
  assert.deepEqual(cited, {})
})

test('a pair may be one of the answers', async () => {
  const bot = await makeChatbot(owner, { 'visit.md': VISIT })
  await owner.createPair(
    bot,
    'Do you have a cloakroom?',
    'Yes, beside the stairs; it costs nothing.',
  )
  const { text } = await ask(owner, bot, 'How much is a ticket and do you have a cloakroom?')
  assert.match(text, /12 euros/)
  assert.match(text, /Yes, beside the stairs; it costs nothing\. \[2\.1\]$/)
})

for (const question of [
  'Which European countries and which Asian countries signed it?',
  'When and where was she born?',
  'What is bread and butter?',
  'Where? When?',
  'When is it and where is it?',
  'Where is the lab? Who are you?',
  'What is the bonus for people who work and who are over 65?',
  'Who is the person that works in the lab and who leads the choir?',
  'How long is the time between when I order and when it is shipped?',
  'How do I know what is included and what is not included?',
  'How can I see which rooms are free and which are booked?',
  'What should I do if my order is late and what is wrong is unclear?',
  'What is the song "Who are you and what do you want"?',
  'What is rule [1.1] and what is the price?',
  'Wie finde ich heraus, was gespeichert wird und wie lange es aufbewahrt wird?',
  'Wer hat wann und wo das Haus gebaut?',
  'Who wrote and directed it?',
  'When was it? Where was it? Who was it? Why was it? How was it?',
]) {
  test(`“${question}” is one question`, () => {
    assert.deepEqual(partsOfQuestion(question), [question])
  })
}

test('an “and” within one of the questions stays', () => {
  const parts = ['Are the halls and the garden open?', 'where can I buy tickets and food?']
  const question = 'Are the halls and the garden open and where can I buy tickets and food?'
  assert.deepEqual(partsOfQuestion(question), parts)
})

test('“Wann habt ihr offen und wo kann ich parken?” is two', () => {
  const parts = ['Wann habt ihr offen?', 'wo kann ich parken?']
  assert.deepEqual(partsOfQuestion('Wann habt ihr offen und wo kann ich parken?'), parts)
})
