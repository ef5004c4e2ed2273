import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Pieces } from '../inference/word-pieces.ts'
import { BUILT_IN_DIMENSIONS } from './built-in-constants.ts'
import { BuiltInModel } from './built-in-encoder.ts'
import { cosine, signsOfBytes, toBytes, toSigns } from './vectors.ts'

// Written by models/training/encoder/record.py: the tokens of a text, and the first dimensions of its vector.
interface Recorded {
  text: string
  pieces: string[]
  vector: number[]
}
const recorded: Recorded[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'embedding-recorded.json'), 'utf8'),
)
const MODEL = join(import.meta.dirname, '../../../../../models/encoder')
const WINDOW = 254
const SHORT_TEXTS = Array.from({ length: 20 }, (_, i) => `${'How much is it? '.repeat(i % 7)}${i}`)

function nearness(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    ofA += a[i]! ** 2
    ofB += b[i]! ** 2
  }
  return product / Math.sqrt(ofA * ofB)
}

test('a text is cut into the same pieces as in training', () => {
  const names = readFileSync(join(MODEL, 'pieces.txt'), 'utf8').trimEnd().split('\n')
  const known = new Pieces(names)
  for (const { text, pieces } of recorded) {
    const found = known.cut(text, Number.POSITIVE_INFINITY)
    assert.deepEqual(
      found.map(({ number }) => names[number]),
      pieces,
    )
  }
})

suite('the built-in encoder', async () => {
  const model = await BuiltInModel.load()

  test('gives the vectors of the training, but for rounding, of length 1', async () => {
    for (const { text, vector } of recorded) {
      const given = await model.embed(text)
      assert.equal(given.length, BUILT_IN_DIMENSIONS)
      assert.ok(Math.abs(Math.hypot(...given) - 1) < 1e-3, text)
      const near = nearness(given.slice(0, vector.length), vector)
      assert.ok(near >= 0.985, `${text.slice(0, 30)}: ${near}`)
    }
  })

  test('gives a text the same vector alone and among others', async () => {
    const texts = [...recorded.map(({ text }) => text), ...SHORT_TEXTS, '']
    const alone: Float32Array[] = []
    for (const text of texts) alone.push(await model.embed(text))
    const together = await Promise.all(texts.map((text) => model.embed(text)))
    for (const [i, text] of texts.entries())
      for (const [d, value] of together[i]!.entries())
        assert.ok(Math.abs(value - alone[i]![d]!) < 1e-5, `${text.slice(0, 30)}, ${d}`)
  })

  test('reads beyond its window', async () => {
    const long = recorded.find(({ pieces }) => pieces.length > WINDOW - 60)!.text
    const end = ' The dragon sleeps in the cellar.'.repeat(40)
    const near = nearness(await model.embed(long), await model.embed(long + end))
    assert.ok(near < 0.99, String(near))
  })

  test('brings near meanings nearer than far ones', async () => {
    for (const [text, near, far] of [
      [
        'How much does a ticket cost?',
        'The price of admission is 12 euros.',
        'Dogs must stay outside.',
      ],
      ['When do you open?', 'The doors are unlocked at nine.', 'Our soup is made of pumpkins.'],
      ['Can I bring my dog?', 'Pets are not allowed inside.', 'The museum was founded in 1901.'],
    ] as const) {
      const [a, b, c] = await Promise.all([text, near, far].map((one) => model.embed(one)))
      assert.ok(nearness(a!, b!) > nearness(a!, c!), text)
    }
  })
})

suite('a vector that is stored as bytes', () => {
  const numbers = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), {
    minLength: 8,
    maxLength: 64,
  })

  test('keeps its direction', () => {
    const filled = numbers.filter((values) => values.some((value) => Math.abs(value) > 0.01))
    fc.assert(
      fc.property(filled, (values) => {
        const vector = Float32Array.from(values)
        assert.ok(cosine(vector, toBytes(vector)) > 0.99)
      }),
    )
  })

  test('has the signs of its bytes, one bit each', () => {
    assert.deepEqual(toSigns(Float32Array.of(1, -1, 0, 0.5, -2, 0, 0, 3, 1)), Uint8Array.of(137, 1))
    const bytes = toBytes(Float32Array.of(1, -1, 0.001, 0.5, -0.5, 0, -0.001, 1))
    assert.deepEqual(signsOfBytes(bytes), Uint8Array.of(137))
  })

  test('is near nothing when it is empty or of another length', () => {
    assert.equal(cosine(new Float32Array(8), toBytes(new Float32Array(8))), 0)
    assert.equal(cosine(Float32Array.of(1, 1), toBytes(Float32Array.of(1, 1, 1))), 0)
  })
})
