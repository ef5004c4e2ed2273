import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { PHRASES } from '@docent/quote/before-judge/phrases.ts'
import { ask, makeChatbot, withoutSigns } from '../../../test/asking.ts'
import { startTestServer } from '../../../test/harness.ts'

const LONG =
  `Whoever wishes to borrow one of the instruments of the collection, whether for a concert, a recording or a
lesson, has to write to the curator at least six weeks before the day on which the instrument is needed, and must name
the room in which it will be kept, the person who will play it, the insurance that covers it, and the firm that carries
it, since without these four particulars the board, which meets on the first Tuesday of each month, can decide nothing
at all and will send the letter back unread.`.replaceAll('\n', ' ')
const FOUNDED =
  'The library was founded in 1887 with the money of the cotton merchant Thomas Ashworth, who left it his whole collection of some 4,000 books and the house on Market Street in which it has been ever since.'
const CANCELLED =
  'A booking can be cancelled free of charge up to 14 days before the day of arrival by letter or on our site, provided that it was made at the full rate and for fewer than ten guests.'
const DOCUMENTS = {
  'visit.md':
    '# Visit\n\nThe museum is open daily from 9 to 17. On Fridays it closes at 21. Dr. Lee leads tours on Sundays.',
  'prices.md':
    '# Prices\nA ticket costs 12 euros. Children under seven pay 3 euros. Groups of ten pay 80 euros.',
  'loans.txt': LONG,
}

function isLikelihood(confidence: number): void {
  assert.ok(confidence >= 0 && confidence <= 1, String(confidence))
}

for (const READER of ['on', 'off']) {
  suite(`with the reader ${READER}, an answer without a language model`, async () => {
    const { owner } = await startTestServer({ after }, { environment: { READER } })
    const chatbot = await makeChatbot(owner, DOCUMENTS)

    test('is a sentence of the sources, word for word, with its marker', async () => {
      const answer = await ask(owner, chatbot, 'Who leads tours on Sundays?')
      assert.equal(answer.text, 'Dr. Lee leads tours on Sundays. [1.1]')
      assert.equal(answer.answered, true)
      isLikelihood(answer.confidence)
      assert.equal(answer.cited['1.1']!.title, 'Visit')
      assert.equal(answer.receipts['1.1']!.quote, 'Dr. Lee leads tours on Sundays.')
    })

    test('is found right below a heading', async () => {
      const { text } = await ask(owner, chatbot, 'What does a ticket cost?')
      assert.match(text, /^A ticket costs 12 euros\./)
    })

    test('minds whom the question is about', async () => {
      const { text } = await ask(owner, chatbot, 'How much do children under seven pay?')
      assert.match(text, /^Children under seven pay 3 euros\./)
    })

    test('follows what was asked before', async () => {
      const questions = ['What does a ticket cost?', 'And for children?'] as const
      const { text, answered } = await ask(owner, chatbot, ...questions)
      assert.match(text, /Children under seven pay 3 euros\..* \[1\.1\]$/)
      assert.equal(answered, true)
    })

    test('says that it found nothing, with what comes nearest', async () => {
      const answer = await ask(owner, chatbot, 'What is the boiling point of mercury?')
      const [notFound, nearest, ...titles] = answer.text.split('\n')
      assert.equal(notFound, PHRASES.en.notFound)
      assert.equal(nearest, PHRASES.en.nearest)
      assert.deepEqual(titles.toSorted(), ['- Prices', '- Visit', '- loans.txt'])
      assert.equal(answer.answered, false)
      isLikelihood(answer.confidence)
      assert.deepEqual(answer.cited, {})
      const sure = await ask(owner, chatbot, 'What does a ticket cost?')
      assert.ok(sure.confidence > answer.confidence)
    })

    test('shows the sentence that comes nearest where it may be of use', async () => {
      const answer = await ask(owner, chatbot, 'Do groups get lunch?')
      assert.equal(answer.answered, false)
      const [notFound, ...rest] = answer.text.split('\n')
      assert.equal(notFound, PHRASES.en.notFound)
      assert.equal(rest.at(-1), '- Prices: Groups of ten pay 80 euros. [1.1]')
      assert.equal(Object.keys(answer.cited).length, 1)
    })

    test('is a part of a sentence that is long, as it stands', async () => {
      const question = 'How many weeks before must I write to the curator to borrow an instrument?'
      const { text, receipts } = await ask(owner, chatbot, question)
      const quote = withoutSigns(text)
      assert.ok(LONG.includes(quote), quote)
      assert.match(text, /… \[1\.1\]$/)
      assert.ok(quote.length <= 290 && quote.length > 50, quote)
      assert.match(quote, /six weeks/)
      assert.equal(receipts['1.1']!.quote, quote)
    })
  })
}

suite('an exact answer', async () => {
  const documents = { 'library.txt': FOUNDED, 'bookings.txt': CANCELLED }
  const { owner } = await startTestServer({ after })
  const chatbot = await makeChatbot(owner, documents)

  test('is the piece of a sentence that the reader is sure of, and its receipt is that piece', async () => {
    const { uuid, text, receipts } = await ask(owner, chatbot, 'When was the library founded?')
    assert.match(text, /^The library was founded in 1887 .* … \[1\.1\]$/)
    assert.ok(text.length <= 120, text)
    assert.ok(FOUNDED.includes(receipts['1.1']!.quote))
    assert.equal(receipts['1.1']!.quote, withoutSigns(text))
    const { body } = await owner.json('GET', `/message/${uuid}/citations/verify`)
    assert.equal(body.citations[0].verified, true)
  })

  test('shows what it leaves out before it, too', async () => {
    const { text, receipts } = await ask(
      owner,
      chatbot,
      'How many books did he leave to the library?',
    )
    assert.match(text, /^… .*some 4,000 books.* \[1\.1\]$/)
    assert.equal(receipts['1.1']!.quote, withoutSigns(text))
  })

  test('never leaves out a condition', async () => {
    const question = 'How many days before arrival can a booking be cancelled?'
    const { text } = await ask(owner, chatbot, question)
    assert.equal(text, `${CANCELLED} [1.1]`)
  })

  test('is a whole sentence where the reader is switched off', async () => {
    const { owner: other } = await startTestServer({ after }, { environment: { READER: 'off' } })
    const { text } = await ask(
      other,
      await makeChatbot(other, documents),
      'When was the library founded?',
    )
    assert.equal(text, `${FOUNDED} [1.1]`)
  })
})

suite('without a language model', async () => {
  const { owner } = await startTestServer({ after })
  const chatbot = await makeChatbot(owner, DOCUMENTS)

  for (const [said, reply] of [
    ['Hello!', PHRASES.en.greeting],
    ['hi there', PHRASES.en.greeting],
    ['Guten Tag', PHRASES.de.greeting],
    ['¡Hola!', PHRASES.es.greeting],
    ['Bonjour !', PHRASES.fr.greeting],
    ['Thank you very much!', PHRASES.en.thanks],
    ['Danke schön', PHRASES.de.thanks],
    ['谢谢', PHRASES.zh.thanks],
    ['شكرا', PHRASES.ar.thanks],
    ['Au revoir', PHRASES.fr.goodbye],
    ['Great, that worked!', PHRASES.en.thanks],
    ['thank you, that helped a lot', PHRASES.en.thanks],
    ['Danke, das hat geholfen', PHRASES.de.thanks],
    ['ok thanks, bye', PHRASES.en.goodbye],
    ['👍🏽', PHRASES.en.thanks],
    ['Hi, who are you?', PHRASES.en.about],
    ['Was kannst du?', PHRASES.de.about],
    ['你是谁？', PHRASES.zh.about],
  ] as const) {
    test(`“${said}” is replied to in its language`, async () => {
      const answer = await ask(owner, chatbot, said)
      assert.equal(answer.text, reply)
      assert.equal(answer.answered, true)
      assert.deepEqual(answer.cited, {})
    })
  }

  test('the one word that tells counts in a few texts of another language, too', async () => {
    const bot = await makeChatbot(owner, {
      'preise.csv': 'Artikel;Preis;Lager\nMutter M6;0,08;8100\nAkkuschrauber AX-12;129,00;14\n',
      'urlaub.md':
        '# Urlaubsregelung\n\nJeder Mitarbeiter hat Anspruch auf 30 Tage Urlaub im Kalenderjahr.\n\n# Antrag\n\nDer Urlaub ist mindestens zwei Wochen vorher im Personalportal zu beantragen.\n\n# Reisekosten\n\nTagegeld ab 8 Stunden: 14 Euro. Kilometer mit dem eigenen Auto: 0,30 Euro.',
    })
    const { text } = await ask(owner, bot, 'Was kostet der Akkuschrauber?')
    assert.match(text, /AX-12 \| Preis: 129,00/)
  })

  test('a greeting with a question is a question', async () => {
    const { text } = await ask(owner, chatbot, 'Hello, what does a ticket cost?')
    assert.match(text, /12 euros/)
  })

  for (const [language, question] of [
    ['de', 'Wie hoch ist der Mond und warum?'],
    ['es', '¿Cuál es la capital de Francia?'],
    ['zh', '法国的首都是哪里？'],
    ['ar', 'ما هي عاصمة فرنسا؟'],
  ] as const) {
    test(`what is not found is said so in the language of the question: ${language}`, async () => {
      const answer = await ask(owner, chatbot, question)
      const { notFound, nearest } = PHRASES[language]
      assert.ok(answer.text.startsWith(`${notFound}\n${nearest}\n- `), answer.text)
      assert.match(answer.text, /^- Prices$/m)
      assert.equal(answer.answered, false)
      isLikelihood(answer.confidence)
    })
  }

  test('what is not found is said in English where the engine does not speak the language', async () => {
    const { text } = await ask(owner, chatbot, 'Какая столица Франции?')
    assert.ok(text.startsWith(PHRASES.en.notFound), text)
  })

  test('a chatbot without sources names nothing as nearest', async () => {
    const answer = await ask(owner, await owner.createChatbot(), 'What does a ticket cost?')
    assert.equal(answer.text, PHRASES.en.notFound)
    assert.equal(answer.confidence, 0)
    assert.equal(answer.answered, false)
  })

  test('a pair on the same matter leaves to a document what only that one says', async () => {
    const text =
      'The lighthouse keeper is called Ödön Quillfeather. The lighthouse was built in 1823 by the harbour company. It has 142 steps and a red lamp.'
    const mixed = await makeChatbot(owner, { 'lighthouse.txt': text })
    await owner.createPair(mixed, 'When is the lighthouse open?', 'On Sundays from 10 to 14.')
    for (const [question, answer] of [
      ['Who is the lighthouse keeper?', 'The lighthouse keeper is called Ödön Quillfeather. [1.1]'],
      [
        'When was the lighthouse built?',
        'The lighthouse was built in 1823 by the harbour company. [1.1]',
      ],
      ['How many steps does the lighthouse have?', 'It has 142 steps and a red lamp. [1.1]'],
      ['When is the lighthouse open?', 'On Sundays from 10 to 14. [1.1]'],
      ['At what time does the lighthouse open?', 'On Sundays from 10 to 14. [1.1]'],
    ] as const)
      assert.equal((await ask(owner, mixed, question)).text, answer, question)
  })

  test('a pair that asks the same is answered with its answer', async () => {
    const pairs = await owner.createChatbot({ show_citations: true })
    await owner.createPair(pairs, 'Can I pay by card?', 'Yes, by any card. Cash is fine, too.')
    const answer = await ask(owner, pairs, 'Can I pay by card?')
    assert.equal(answer.text, 'Yes, by any card. Cash is fine, too. [1.1]')
    assert.ok(answer.confidence > 0.8 && answer.confidence <= 1)
  })

  test('a pair that only speaks of it leaves it to a document that answers, and one that may be meant is shown', async () => {
    const way = 'The museum stands at the harbour, five minutes from the station.'
    const mixed = await makeChatbot(owner, { 'way.txt': way })
    await owner.createPair(mixed, 'Where can I park?', 'There are free places behind the museum.')
    assert.equal((await ask(owner, mixed, 'Where is the museum?')).text, `${way} [1.1]`)
    const car = await ask(owner, mixed, 'Where can I leave my car?')
    assert.match(car.text, /may help:\n- Where can I park\? There are free places .* \[1\.1\]$/)
    assert.equal(car.answered, false)
  })

  test('no marker is shown where the chatbot shows none', async () => {
    const plain = await makeChatbot(owner, DOCUMENTS, { show_citations: false })
    const { text } = await ask(owner, plain, 'Who leads tours on Sundays?')
    assert.equal(text, 'Dr. Lee leads tours on Sundays.')
  })

  test('no source is named where the chatbot shows none', async () => {
    const plain = await makeChatbot(owner, DOCUMENTS, { show_citations: false })
    const unknown = await ask(owner, plain, 'What is the boiling point of mercury?')
    assert.equal(unknown.text, PHRASES.en.notFound)
    const near = await ask(owner, plain, 'Do groups get lunch?')
    const { notFound, nearest } = PHRASES.en
    assert.equal(near.text, `${notFound}\n${nearest}\n- Groups of ten pay 80 euros.`)
  })
})

suite('what is asked of a manual', async () => {
  const { owner } = await startTestServer({ after })
  const chatbot = await makeChatbot(owner, {
    'guide.md': `Widgetron
=========

Widgetron turns CSV files into charts.

## Installation

Install the package with npm:

\`\`\`bash
# once for each project
npm install widgetron

# or for all of them
npm install --global widgetron
\`\`\`

Widgetron needs Node 18 or newer.

## Configuration

| Option | Default | Meaning |
|---|---|---|
| \`port\` | 3000 | where it listens |
| \`output\` | \`out\` | the folder of charts |
`,
    'help.html': `<title>Help centre</title><main><h2>Reset your password</h2>
      <p>If you have forgotten your password, you can set a new one:</p>
      <ol><li>Open the sign-in page.<li>Enter your address.<li>Follow the link. It works for 30 minutes.</ol>
      <h2>Shipping</h2><table><tr><th>Country<th>Days<th>Price<tr><td>Germany<td>2<td>4.90 €<tr><td>France<td>3<td>7.90 €</table>
      <h2>Opening hours</h2><dl><dt>Monday to Friday<dd>9 to 18<dt>Saturday<dd>10 to 14</dl></main>`,
    'printer.md': `# Printer

## Replace the ink

1. Switch the printer on.
2. Open the front cover and wait until the carriage stops.
3. Push the new cartridge in until it clicks.

Do not touch the copper contacts.

## Codes

- **E01**: paper jam. Remove the paper from the rear tray.
- **E02**: no ink. Replace the cartridge.
`,
  })
  const steps =
    '1. Switch the printer on.\n2. Open the front cover and wait until the carriage stops.\n3. Push the new cartridge in until it clicks.'

  for (const [question, answer] of [
    [
      'How do I install the package?',
      'Install the package with npm:\n\n```bash\n# once for each project\nnpm install widgetron\n\n# or for all of them\nnpm install --global widgetron\n```',
    ],
    [
      'What is the default of the output option?',
      'Option: `output` | Default: `out` | Meaning: the folder of charts',
    ],
    ['How much is shipping to France?', 'Country: France | Days: 3 | Price: 7.90 €'],
    ['When are you open on Saturday?', 'Saturday: 10 to 14'],
    [
      'How do I reset my password?',
      'If you have forgotten your password, you can set a new one:\n\n1. Open the sign-in page.\n2. Enter your address.\n3. Follow the link. It works for 30 minutes.',
    ],
    ['How do I replace the ink?', steps],
  ] as const) {
    test(question, async () => {
      const { text, receipts } = await ask(owner, chatbot, question)
      assert.equal(withoutSigns(text), answer)
      assert.equal(Object.values(receipts)[0]!.quote, answer)
    })
  }
})
