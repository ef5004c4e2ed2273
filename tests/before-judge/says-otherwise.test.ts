import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { saysOtherwise } from '@docent/quote/before-judge/says-otherwise.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

suite('a sentence says otherwise than a question takes for granted', () => {
  const otherwise: [why: string, question: string, sentence: string][] = [
    ['an opposite', 'Which hall is the smallest?', 'The largest hall is the Red Hall.'],
    ['a changed form', 'What weakens the walls?', 'Iron strengthened the walls.'],
    ['a prefix more', 'Where are unregistered boats kept?', 'Registered boats are kept here.'],
    ['a prefix less', 'Where are registered boats kept?', 'Unregistered boats are kept here.'],
    ['a non', 'Where do non-members sit?', 'Members sit upstairs.'],
    ['another year', 'Who won in 1954?', 'It was won by Ada in 1955.'],
    ['another century', 'What burnt in the 16th century?', 'The mill burnt in the 17th century.'],
    ['another share', 'Who owns 12% of it?', 'The town owns 21 % of it.'],
  ]
  for (const [why, question, sentence] of otherwise)
    test(`by ${why}`, () => assert.ok(saysOtherwise(question, sentence)))

  const alike: [why: string, question: string, sentence: string][] = [
    ['has the same word', 'Which is the smallest?', 'The largest is red, the smallest blue.'],
    ['answers whether it is so', 'Are drinks included?', 'Drinks are excluded.'],
    ['is asked which of two it is', 'What grows faster or slower?', 'Ivy grows slower.'],
    ['denies the opposite', 'What is unknown?', 'The date is not known.'],
    ['is asked how much', 'How long is the visit?', 'A short visit takes an hour.'],
    ['says it from the other side', 'When does it close?', 'It is open from 9 to 17.'],
    ['has the year among others', 'Who won in 1954?', 'Ada won in 1954 and in 1955.'],
    ['has no year', 'Who won in 1954?', 'Ada won.'],
    ['is asked when', 'When was the bridge of 1883 torn down?', 'It was torn down in 1931.'],
    ['speaks of a span of years', 'Which parts fit a car of 2019?', 'These fit cars since 2015.'],
    ['counts something', 'What do 2000 emails cost?', 'Up to 1000 emails are free.'],
    ['is asked for help', 'How do I make it larger?', 'Ctrl and minus make it smaller.'],
    ['is asked what to do', 'What if a room is cold?', 'The heater makes it hot.'],
    ['greets first', 'Hi, are drinks included?', 'Drinks are excluded.'],
    ['has a word in another', 'Where is the contact form?', 'Contact information is below.'],
    ['has such an ending', 'What costs less?', 'Unless it is late, a tram.'],
  ]
  for (const [why, question, sentence] of alike)
    test(`but not if it ${why}`, () => assert.ok(!saysOtherwise(question, sentence)))
})

suite('an answer', async () => {
  const { owner } = await startTestServer({ after })
  const chatbot = await owner.createChatbot()
  const text =
    'The mill was rebuilt in 1955 by the town. Registered property is held in trust by the council of the town.'
  const upload = await owner.upload(chatbot, 'mill.txt', text)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)

  async function isAnswered(question: string): Promise<boolean> {
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, question)).text()
    const { meta_json } = (await owner.messages(session)).at(-1)
    return JSON.parse(meta_json).answered
  }

  for (const [right, wrong] of [
    ['Who rebuilt the mill in 1955?', 'Who rebuilt the mill in 1945?'],
    ['How is registered property held?', 'How is unregistered property held?'],
  ] as const)
    test(`is not given where the source says otherwise: ${wrong}`, async () => {
      assert.ok(await isAnswered(right))
      assert.ok(!(await isAnswered(wrong)))
    })
})
