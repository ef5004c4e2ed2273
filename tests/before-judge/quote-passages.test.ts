import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksHow } from '@docent/quote/before-judge/asks-how.ts'
import { asksToExplain } from '@docent/quote/before-judge/asks-to-explain.ts'
import { quotePassages } from '@docent/quote/before-judge/quote-passages.ts'
import fc from 'fast-check'
import { found, quote } from './quoting.ts'

// Includes texts without spaces to cut at.
const solid = ['a', 'é', '博', '🎨', '𠮷', '，']
const longText = fc
  .constantFrom(solid, [...solid, ', ', ' '])
  .chain((characters) =>
    fc.array(fc.constantFrom(...characters), { minLength: 250, maxLength: 500 }),
  )
  .map((characters) => characters.join('').trim())
  .filter((text) => text.length > 290)

test('a long sentence is cut to a piece of it, never through a character, and the receipt is that piece', () => {
  fc.assert(
    fc.property(longText, fc.double({ min: 0, max: 0.99, noNaN: true }), (text, share) => {
      // The answer is one whole character of the text.
      const at = Math.floor(share * text.length)
      const start = /[\udc00-\udfff]/.test(text[at]!) ? at - 1 : at
      const end = start + String.fromCodePoint(text.codePointAt(start)!).length
      const readings = [{ presence: 6, spans: [{ start, end, share: 1 }] }]
      const quotes = quotePassages({
        question: 'What?',
        found: [found(text)],
        readings,
        showCitations: false,
      })
      assert.equal(quotes.answered, true)
      assert.ok(quotes.text.isWellFormed(), quotes.text)
      // Ellipses mark omitted text and are not part of the piece.
      const piece = quotes.text.replace(/^… | …$/g, '')
      assert.ok(text.includes(piece))
      assert.ok(piece.length <= 290)
      const [passage] = quotes.passages
      assert.equal(passage!.quote, piece)
      assert.equal(text.slice(passage!.starts_at - 100, passage!.ends_at - 100), piece)
      assert.ok(passage!.starts_at - 100 <= start && passage!.ends_at - 100 >= end)
    }),
    { numRuns: 500 },
  )
})

const MILL =
  'The old mill at the end of Weaver Street was bought by the cotton merchant Thomas Ashworth in 1887, who had it rebuilt as a library for the people who worked in his factories on the other side of the river.'
const SCHOOL =
  'The school of the same name at the market place was given to the town by his daughter Harriet Ashworth in 1902, together with the garden behind it and enough money to pay for three teachers for the next ten years.'

test('where two long sentences may answer, a piece of each is quoted with its own receipt', () => {
  const { text, passages } = quote('When was it?', [
    [MILL, '1887'],
    [SCHOOL, '1902'],
  ])
  const [first, second, ...more] = text.split('\n\n')
  assert.match(first!, /1887 … \[1\.1\]$/)
  assert.match(second!, /1902 … \[2\.1\]$/)
  assert.deepEqual(more, [])
  assert.ok(text.length <= 300, text)
  for (const [i, quoted] of [MILL, SCHOOL].entries()) {
    const { quote: receipt, starts_at, ends_at } = passages[i]!
    assert.equal(quoted.slice(starts_at - 100, ends_at - 100), receipt)
    assert.ok(text.includes(receipt!))
  }
})

test('an answer that two passages give is sure, and is quoted once', () => {
  const again = `As every child of the town has heard, ${MILL[0]!.toLowerCase()}${MILL.slice(1)}`
  const { text, passages } = quote('When was it?', [
    [MILL, '1887'],
    [again, '1887'],
  ])
  assert.match(text, /^The old mill .* in 1887 … \[1\.1\]$/)
  assert.ok(text.length <= 120, text)
  assert.equal(passages.length, 1)
})

test('who asks what is not so is less surely answered by a sentence that denies nothing', () => {
  const ask = (question: string, text: string) => quote(question, [[text, 'Leeds']], 1).confidence
  const open = 'The museum shop is open in Leeds.'
  assert.ok(
    ask('Where is the museum shop not open?', open) < ask('Where is the museum shop open?', open),
  )
  const closed = 'The museum shop is not open in Leeds.'
  assert.equal(
    ask('Where is the museum shop not open?', closed),
    ask('Where is the museum shop open?', closed),
  )
})

test('a sentence that leads to a list is quoted with the list, but for its end where that is long', () => {
  const list = '- a passport\n  that is valid\n\n- a visa'
  const { text, passages } = quote('What do I need to enter?', [
    [`To enter you need:\n\n${list}\n\nCome early.`, 'need'],
  ])
  assert.equal(text, `To enter you need:\n\n${list} [1.1]`)
  assert.equal(passages[0]!.quote, `To enter you need:\n\n${list}`)
  const long = Array.from({ length: 100 }, (_, i) => `- paper number ${i}`).join('\n')
  const cut = quote('What do I need to enter?', [[`To enter you need:\n${long}`, 'need']]).text
  assert.match(
    cut,
    /^To enter you need:\n- paper number 0\n[\s\S]*\n- paper number \d+ … \[1\.1\]$/,
  )
  assert.ok(cut.length < 680)
})

test('what stands above a heading counts with it, and beside it does not', () => {
  const macos = 'It is on Brew:\n\n```sh\nbrew install it\n```'
  const arch = 'It is in the repositories, as others are.\n\n```sh\npacman -S it\n```'
  const text = `# Installing\n\n## macOS\n\n${macos}\n\n## Arch Linux\n\n${arch}\n\n## Others\n\nThere are binaries.`
  const ask = (question: string) => quote(question, [[text, 'binaries']]).text
  assert.equal(ask('How do I install it on macOS?'), `${macos}\n\n[1.1]`)
  assert.equal(ask('How do I install it on Arch Linux?'), `${arch}\n\n[1.1]`)
  assert.equal(ask('How do I install it on Windows?'), 'There are binaries. [1.1]')
  const two =
    '## Setting and disabling timeouts\n\nSet timeouts:\n\n```\na\n```\n\nOr disable timeouts:\n\n```\nb\n```'
  assert.equal(
    quote('How do I disable timeouts?', [[two, 'Set timeouts']], 3, [1, 0.5, 1]).text,
    'Or disable timeouts:\n\n```\nb\n```\n\n[1.1]',
  )
  assert.equal(ask('How do I use macOS?'), `${macos}\n\n[1.1]`)
  assert.equal(ask('How do I leave macOS?'), 'There are binaries. [1.1]')
})

test('whoever asks how is shown the program that follows what answers, and others are not', () => {
  const text =
    'The server is started in the folder. It takes a second.\n\n```sh\nserve\n```\n\nThen go.'
  assert.equal(
    quote('How do I begin?', [[text, 'started']]).text,
    `${text.slice(0, -'\n\nThen go.'.length)}\n\n[1.1]`,
  )
  assert.equal(
    quote('Where is it started?', [[text, 'folder']]).text,
    'The server is started in the folder. [1.1]',
  )
})

test('code is quoted whole, and what follows it begins a line', () => {
  const code = `\`\`\`sh\n${'# it takes a while\n'.repeat(20)}npm install --global\n\`\`\``
  const alone = quote('How do I install it?', [[`Install it:\n\n${code}\n\nThen go.`, 'npm']])
  assert.equal(alone.text, `Install it:\n\n${code}\n\n[1.1]`)
  assert.equal(alone.passages[0]!.quote, `Install it:\n\n${code}`)
})

test('of rows beside each other the one that has more of the question is quoted, whatever the reader prefers', () => {
  const rows = ['Country: Germany | Price: 5 €', 'Country: France | Price: 8 €']
  const ask = (coverage: number[], text = `Shipping.\n\n${rows.join('\n')}`) =>
    quote('What is shipping to France?', [[text, '5 €']], 3, coverage).text
  assert.equal(ask([0, 0.2, 0.6]), `${rows[1]} [1.1]`)
  assert.equal(ask([0, 0.2, 0.2]), `${rows[0]} [1.1]`)
  assert.equal(ask([0, 0, 0.6], 'We ship.\n\nGermany: 5 €\nFrance: 8 €'), 'France: 8 € [1.1]')
  // A paragraph between them: these rows belong to different tables.
  assert.match(ask([0.2, 0, 0.4], `${rows[0]}\n\nSo it is.\n\n${rows[1]}`), /Germany/)
})

test('whoever asks how is told all steps', () => {
  const steps =
    '1. Open the cover.\n2. Push the cartridge down.\n   It clicks.\n3. Close the cover.'
  const text = `It is easy. Do so:\n\n${steps}\n\nDo not touch it.`
  assert.equal(quote('How do I change it?', [[text, 'Push']]).text, `Do so:\n\n${steps} [1.1]`)
  const after = `1. Wash.\n2. Dry.\n\n${steps}`
  assert.equal(quote('How do I change it?', [[after, 'Push']]).text, `${steps} [1.1]`)
  const loose = '1. Open the cover of\nthe printer.\n\n2. Push the cartridge\ndown.\n\n3. Close it.'
  assert.equal(
    quote('How do I change it?', [[`It is\neasy.\n\n${loose}\n\nThen\ngo.`, 'Push']]).text,
    `${loose} [1.1]`,
  )
  assert.match(
    quote('What is pushed?', [[text, 'cartridge']]).text,
    /^2\. Push the cartridge down\./,
  )
})

test('whoever asks how is told what stands under a heading that asks the same', () => {
  const steps = '1. Open the cover.\n2. Push.'
  const text = `## Replace the ink\n\n${steps}\n\n## Codes\n\n- E02: no ink. Replace the cartridge.`
  const ask = (question: string, heading: number) =>
    quote(question, [[text, 'Replace the cartridge']], 3, [heading, 0, 0, 0, 0.5]).text
  assert.equal(ask('How do I replace the ink?', 1), `${steps} [1.1]`)
  assert.match(ask('How do I replace the black ink?', 0.6), /Replace the cartridge/)
  assert.match(ask('Why replace the ink?', 1), /Replace the cartridge/)
})

test('what stands under a heading with the words of the question, and no others, is the answer', () => {
  const text = `## Booking a tour\n\nChoose a date. Then pay by card.\n\n## Tours\n\nA tour takes an hour.`
  const ask = (question: string) => quote(question, [[text, 'takes an hour']]).text
  assert.equal(ask('How do I book a tour?'), 'Choose a date. Then pay by card. [1.1]')
  assert.equal(ask('How do I book a private tour?'), 'A tour takes an hour. [1.1]')
  assert.equal(ask('How long is a tour?'), 'A tour takes an hour. [1.1]')
})

test('in other languages, too, it is told who asks what to do from who asks for a number', () => {
  for (const question of [
    'How do I install it?',
    'What are the steps?',
    'Wie installiere ich es?',
    'Wie kann man das ändern?',
    'Comment installer le logiciel ?',
    '¿Cómo puedo pagar?',
    'Come posso pagare?',
    'Como faço para pagar?',
    'Hoe installeer ik het?',
    'Hur installerar jag det?',
    'Jak zainstalować program?',
    'Как установить программу?',
    'Πώς το εγκαθιστώ;',
    '如何安装？',
    '怎么付款',
    'どうやってインストールしますか',
    '어떻게 설치하나요?',
  ])
    assert.ok(asksHow(question), question)
  for (const question of [
    'How many rooms are there?',
    'Wie viele Zimmer gibt es?',
    'Wie lange dauert es?',
    'Comment s’appelle la ville ?',
    'Hoe lang duurt het?',
    'Hur många rum finns det?',
    'Как долго это длится?',
    'Shown to whom?',
  ])
    assert.ok(!asksHow(question), question)
})

test('what a heading says counts for the sentences under it', () => {
  const text = '## Winter\n\nIt opens at ten.\n\n## Summer\n\nIt opens at eight.'
  const spans = ['ten', 'eight'].map((words) => {
    const start = text.indexOf(words)
    return { start, end: start + words.length, share: 0.95 }
  })
  const ask = (sentenceCoverage: number[]) =>
    quotePassages({
      question: 'When does it open in that season?',
      found: [{ ...found(text), sentenceCoverage }],
      readings: [{ presence: 3, spans }],
      showCitations: false,
    }).text
  assert.match(ask([0, 0.2, 0.8, 0.2]), /^It opens at eight\.$/)
  assert.match(ask([0.8, 0.2, 0, 0.2]), /^It opens at ten\.$/)
})

test('it is told who wants an explanation from who asks for a thing', () => {
  for (const question of [
    'What is a deductible?',
    'what are worker nodes',
    'What is the difference between the two plans?',
    'What are the main steps of an appeal?',
    'What does the plan cover?',
    'Tell me about returns',
    'Why is my card refused?',
    'Can I bring a dog?',
    'my hours are far too high in Excel',
    'I forgot to clock out yesterday',
  ])
    assert.ok(asksToExplain(question), question)
  for (const question of [
    'What is the capital of France?',
    'What are they made of?',
    'What is the process called?',
    'What is it called?',
    'Who wrote it?',
    'When did it open?',
    'How many rooms are there?',
  ])
    assert.ok(!asksToExplain(question), question)
})

const ABOUT = [
  'A deductible is what you pay for care before the plan begins to pay, in each calendar year.',
  'It does not count copays, which are due at every visit to a doctor.',
  'Once it is met, the plan pays its share of the costs until the end of the year.',
]

test('an explanation is whole sentences, with what goes on beside the best, to the end of its paragraph', () => {
  const text = `${ABOUT.join(' ')}\n\nThe office is open on Mondays.`
  const ask = (question: string, answer: string, share = 0.5) =>
    quote(question, [[text, answer]], 3, undefined, share).text
  assert.equal(ask('What is a deductible?', 'what you pay'), `${ABOUT.join(' ')} [1.1]`)
  // This sentence makes no sense without the one before.
  assert.equal(ask('What is a deductible?', 'does not count'), `${ABOUT.join(' ')} [1.1]`)
  assert.equal(ask('What is a deductible?', 'what you pay', 0.95), `${ABOUT[0]} [1.1]`)
  assert.equal(ask('Who pays?', 'the plan pays', 0.95), `${ABOUT[2]} [1.1]`)
})

test('what leads to lines is quoted with them', () => {
  const text =
    'Harbour Road 7\nHours of the depot:\nMonday 9 to 12\nFriday 14 to 18\n\nBring your card.'
  const { text: answer } = quote('Hours?', [[text, 'Hours']], 3, undefined, 0.95)
  assert.equal(answer, 'Hours of the depot:\nMonday 9 to 12\nFriday 14 to 18 [1.1]')
})

test('of a short paragraph all is quoted where it is not sure that one sentence answers', () => {
  const text = `Leave by 11. Your room is ready from 3.\nA late departure costs 25 euros. Ask for it.`
  const ask = (share: number) =>
    quote('When to leave?', [[text, 'by 11']], 3, undefined, share).text
  assert.equal(ask(0.95), 'Leave by 11. [1.1]')
  assert.equal(ask(0.6), 'Leave by 11. Your room is ready from 3. [1.1]')
})

test('what a page has cut off is not added to an explanation', () => {
  const text = `until it is met. ${ABOUT[1]} The share is\n\n- small`
  const { text: answer } = quote('What is a deductible?', [[text, 'copays']], 3, undefined, 0.5)
  assert.equal(answer, `${ABOUT[1]} [1.1]`)
})

test('to whoever wants an explanation an item is told with its list, if it is not long', () => {
  const list = '• a doctor\n\n• a dentist\n\n• a nurse'
  const text = `It pays for care. You may see:\n\n${list}\n\nGo early.`
  const ask = (question: string, among = text) => quote(question, [[among, 'a dentist']], 1).text
  assert.equal(ask('What does the plan cover?'), `You may see:\n\n${list} [1.1]`)
  assert.equal(ask('Who pulls teeth?'), '• a dentist [1.1]')
  const long = `${text}\n${Array.from({ length: 60 }, (_, i) => `• a healer of kind ${i}`).join('\n')}`
  assert.equal(
    ask('What does the plan cover?', long.replace('\n\nGo early.', '')),
    '• a dentist [1.1]',
  )
})

test('neither a title nor the praise of what was said is an answer where another sentence is', () => {
  const text = `CARE: How It Is Paid\n${ABOUT[0]}\n\nBy following these rules, you can save money.`
  for (const answer of ['How It Is Paid', 'save money']) {
    const readings = [
      {
        presence: 3,
        spans: [answer, 'what you pay'].map((words, i) => {
          const start = text.indexOf(words)
          return { start, end: start + words.length, share: i === 0 ? 0.8 : 0.15 }
        }),
      },
    ]
    const passages = [{ ...found(text), sentenceCoverage: [1, 1, 1] }]
    const quotes = quotePassages({
      question: 'What is a deductible?',
      found: passages,
      readings,
      showCitations: false,
    })
    assert.equal(quotes.text, ABOUT[0])
  }
})

test('what has much of the question but may not answer it is shown as such', () => {
  const ask = (coverage: number) =>
    quote('Is the pier lit?', [['The pier is long.', 'long']], -6, [coverage])
  assert.match(
    ask(0.6).text,
    /^I am not sure, but this may help:\n- Title: The pier is long\. \[1\.1\]$/,
  )
  assert.match(ask(0.1).text, /^I did not find this in the sources\./)
  assert.equal(ask(0.6).answered, false)
})

test('who asks for a price is told one first, and nobody is answered with a question', () => {
  const ask = (question: string) =>
    quote(question, [
      ['A day ticket is sold at every stop.', 'at every stop'],
      ['A day ticket is £6.', '£6'],
      ['Where is a day ticket sold?', 'day ticket'],
    ]).text.split('\n\n')[0]
  assert.equal(ask('How much is a day ticket?'), 'A day ticket is £6. [1.1]')
  assert.equal(ask('Where is a day ticket sold?'), 'A day ticket is sold at every stop. [1.1]')
})
