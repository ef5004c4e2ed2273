import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PHRASES } from '@docent/quote/before-judge/phrases.ts'
import { ask, makeChatbot, withoutSigns } from '../../../test/asking.ts'
import { startTestServer } from '../../../test/harness.ts'

suite('what is asked of pairs', async () => {
  const { owner } = await startTestServer({ after })

  test('thanks for what a pair has answered are thanks, unless a pair asks in the same words', async () => {
    const bot = await makeChatbot(owner, {})
    await owner.createPair(bot, 'Do you sell gift cards?', 'Yes, from 25 euros on.')
    await owner.createPair(bot, 'Who are you?', 'I am Lumi, the robot of the museum.')
    const session = await owner.createSession(bot)
    const said = async (question: string) => (await owner.ask(session, question)).text()
    assert.match(await said('do you sell gift cards?'), /^Yes, from 25/)
    assert.equal(await said('thanks!'), PHRASES.en.thanks)
    assert.equal(await said('ok'), PHRASES.en.thanks)
    assert.match(await said('who are you'), /^I am Lumi/)
  })

  test('a pair that only has words of the question does not answer it', async () => {
    const bot = await makeChatbot(owner, { 'pro.md': '# Fjord Pro\n\nIt weighs 9.8 kilograms.\n' })
    await owner.createPair(bot, 'Which beans work best with the Fjord Pro?', 'Medium roasts.')
    await owner.createPair(bot, 'Do you ship to the UK?', 'No, not at the moment.')
    for (const question of ['How heavy is the Fjord Pro?', 'What is the price of the Fjord Pro?'])
      assert.doesNotMatch((await ask(owner, bot, question)).text, /^Medium/, question)
    assert.doesNotMatch((await ask(owner, bot, 'Do you ship to Switzerland?')).text, /^No, not/)
    assert.match((await ask(owner, bot, 'What beans should I use with the Pro?')).text, /^Medium/)
  })
})

suite('what is asked of a page of frequent questions', async () => {
  const { owner } = await startTestServer({ after })
  const chatbot = await makeChatbot(owner, {
    'help.html': `<title>Help</title><main><h1>Frequently asked questions</h1><h2>Booking</h2>
      <h3><button aria-expanded=true aria-controls=c1>How do I book a tour?</button></h3><div id=c1>Choose a date in the calendar, and pay by
      card. You receive a confirmation within ten minutes.</div>
      <h3><button aria-expanded=false aria-controls=c2>Can I cancel my booking?</button></h3><div id=c2 hidden>Up to 48 hours before the tour
      you get all your money back. After that, we keep half of it.</div>
      <h2>On the water</h2><p><strong>Who can take part?</strong></p><p>Anybody aged eight or older who can swim.</p>
      <p><strong>What happens in bad weather?</strong></p><p>The guide decides on the morning of the tour.</p></main>`,
  })
  const booking =
    'Choose a date in the calendar, and pay by card. You receive a confirmation within ten minutes.'

  for (const [question, answer] of [
    ['How do I book a tour?', booking],
    ['booking a tour', booking],
    [
      'Is it possible to cancel?',
      'Up to 48 hours before the tour you get all your money back. After that, we keep half of it.',
    ],
    ['Who can take part?', 'Anybody aged eight or older who can swim.'],
    ['What if it rains?', 'The guide decides on the morning of the tour.'],
  ] as const) {
    test(question, async () => {
      const { text, receipts } = await ask(owner, chatbot, question)
      assert.equal(withoutSigns(text), answer)
      assert.equal(Object.values(receipts)[0]!.quote, answer)
    })
  }

  test('what may be meant is named with what stands under it', async () => {
    const { text } = await ask(owner, chatbot, 'Is rain a problem?')
    assert.match(
      text,
      /^I did not find this.*\n- What happens in bad weather\? The guide decides on the morning of the tour\./s,
    )
  })

  test('a heading that has the words of small talk is answered from', async () => {
    const bot = await makeChatbot(owner, {
      'about.md':
        '# About us\n\n## Who are you?\n\nTwo sisters who roast coffee in Hamburg.\n\n## Where are you?\n\nAt the harbour.\n',
    })
    assert.match((await ask(owner, bot, 'Who are you?')).text, /^Two sisters/)
  })
})
