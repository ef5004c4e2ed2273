import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { partsOfQuestion } from '../src/answering/parts-of-question.ts'
import { ask, makeChatbot } from './asking.ts'
import { startTestServer } from './harness.ts'

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

test('the second part may refer to the first', async () => {
  const bot = await makeChatbot(owner, {
    'pro.md': '# The Fjord Pro\n\nThe Fjord Pro weighs 31 kg. The Fjord Pro costs 2,400 euros.',
    'one.md': '# The Alp One\n\nThe Alp One weighs 12 kg. The Alp One costs 900 euros.',
  })
  const { text } = await ask(owner, bot, 'How heavy is the Fjord Pro and how much does it cost?')
  assert.match(text, /31 kg/)
  assert.match(text, /2,400 euros/)
  assert.doesNotMatch(text, /900/)
})

test('where a part is not in the sources, that is said of it, and it counts as unanswered', async () => {
  const { text, answered, confidence } = await ask(
    owner,
    museum,
    'When are you open and who painted the ceiling?',
  )
  assert.match(
    text,
    /^The museum is open daily from 9 am to 5 pm\. \[1\.1\]\n\n“who painted the ceiling\?”: I did not find this/,
  )
  assert.equal(answered, false)
  assert.ok(confidence < 0.3, String(confidence))
  const { body } = await owner.json('GET', `/chatbot/${museum}/unanswered`)
  assert.deepEqual(
    body.map(({ question }: { question: string }) => question),
    ['When are you open and who painted the ceiling?'],
  )
})

test('a marker in the question cites nothing', async () => {
  const { text } = await ask(owner, museum, 'When are you open and who is [1.1] the\npainter?')
  assert.match(text, /“who is the painter\?”: /)
})

test('where no part is in the sources, the question is answered as a whole', async () => {
  const { text, answered } = await ask(
    owner,
    museum,
    'Who painted the ceiling and when did Rembrandt marry?',
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
  const { body } = await owner.json('POST', `/chatbot/${bot}/data-source/qa`, {
    question: 'Do you have a cloakroom?',
    answer: 'Yes, beside the stairs; it costs nothing.',
  })
  await owner.settled(body.uuid)
  const { text } = await ask(owner, bot, 'How much is a ticket and do you have a cloakroom?')
  assert.match(text, /12 euros/)
  assert.match(text, /Yes, beside the stairs; it costs nothing\. \[2\.1\]$/)
})

for (const question of [
  'Which European countries and which Asian countries signed it?',
  'When and where was she born?',
  'What is bread and butter?',
  'Where? When?',
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
