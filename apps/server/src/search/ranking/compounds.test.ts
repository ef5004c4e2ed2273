import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask, makeChatbot } from '../../../test/asking.ts'
import { startTestServer } from '../../../test/harness.ts'
import { compoundsOf } from './compounds.ts'

const HANDBOOK = `# Arbeitszeit

Die Woche hat bei uns 38 Stunden. Kernzeit ist von 10 bis 15 Uhr.

# Abwesenheit

Jeder hat 30 Tage Urlaub im Jahr. Wer krank ist, meldet sich vor 9 Uhr bei der Leitung.

# Reisen

Kosten einer Reise werden gegen Beleg erstattet. Für ein Hotel gelten höchstens 140 Euro für die Nacht.

# Küche

Die Maschine für Kaffee reinigt, wer sie zuletzt benutzt hat. Eine Feier ist vorher anzumelden.
`
const { owner } = await startTestServer({ after })
const handbook = await makeChatbot(owner, { 'handbuch.md': HANDBOOK })

// Vectors alone would give .09, .42 and .44.
for (const [question, answer, least] of [
  ['Wie viele Urlaubstage habe ich?', /^Jeder hat 30 Tage Urlaub im Jahr\./, 0.4],
  ['Wer reinigt die Kaffeemaschine?', /zuletzt benutzt/, 0.55],
  ['Werden die Reisekosten erstattet?', /gegen Beleg erstattet/, 0.55],
] as const) {
  test(`“${question}” is answered by a text that writes it in two words`, async () => {
    const { text, answered, confidence } = await ask(owner, handbook, question)
    assert.match(text, answer)
    assert.equal(answered, true)
    assert.ok(confidence > least, String(confidence))
  })
}

for (const question of ['Wann ist die Weihnachtsfeier?', 'Welche Krankenkasse habt ihr?']) {
  test(`“${question}” is not answered by half of it`, async () => {
    const { answered, confidence } = await ask(owner, handbook, question)
    assert.equal(answered, false)
    assert.ok(confidence < 0.3, String(confidence))
  })
}

for (const question of [
  'Wie hoch sind die Nebenkosten?',
  'Wie werden Überstunden bezahlt?',
  'Wie viele Urlaubsstunden habe ich?',
]) {
  test(`“${question}” is not answered by two sentences that have nothing to do with each other`, async () => {
    const bot = await makeChatbot(owner, {
      'haus.md': 'Der Aufzug liegt neben dem Tor. Wer über Nacht bleibt, sagt es vorher.',
      'reisen.md': 'Kosten einer Reise werden gegen Beleg erstattet.',
      'woche.md': 'Die Woche hat bei uns 38 Stunden. Jeder hat 30 Tage Urlaub.',
    })
    const { answered, confidence } = await ask(owner, bot, question)
    assert.equal(answered, false)
    assert.ok(confidence < 0.2, String(confidence))
  })
}

test('a word that the text has is not parted', async () => {
  const bot = await makeChatbot(owner, {
    'haus.md':
      'Urlaubstage verfallen im März. Im Urlaub sind es noch zehn Tage bis zur Abreise, die lang werden.',
  })
  const { text } = await ask(owner, bot, 'Wann verfallen Urlaubstage?')
  assert.match(text, /^Urlaubstage verfallen im März/)
})

test('Dutch joins its words, too', async () => {
  const bot = await makeChatbot(owner, {
    'kantoor.md': 'De machine voor koffie staat naast de keuken. Het kantoor sluit om zes uur.',
  })
  const { text } = await ask(owner, bot, 'Waar is de koffiemachine?')
  assert.match(text, /^De machine voor koffie staat naast de keuken/)
})

test('words of an English question are not parted: they may be names', () => {
  assert.equal(compoundsOf('Where is the Liverpool office?').size, 0)
  assert.deepEqual([...compoundsOf('Wo ist das Liverpool-Büro?').keys()], ['liverpoo'])
})

test('of a question of many long words, a few are parted', async () => {
  const letters = (i: number) => String.fromCharCode(97 + (i % 26), 97 + ((i / 26) % 26))
  const words = Array.from({ length: 300 }, (_, i) => `${letters(i)}urlaubstagekaffeemaschinen`)
  const question = `Wie ist der ${words.join(' ')}?`
  const compounds = compoundsOf(question)
  assert.equal(compounds.size, 8)
  assert.ok([...compounds.values()].flat().length < 400)
  assert.equal(compoundsOf(`Wie ist der ${'urlaubstage'.repeat(4)}?`).size, 0)
  const { text } = await ask(owner, handbook, question)
  assert.ok(text)
})
