import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PassageReader, READER_FOLDER } from '../src/models/reader/passage-reader.ts'
import {
  characterIds,
  plainForm,
  roughStem,
  tokenize,
  tokenShape,
} from '../src/models/reader/words.ts'

// Written by training/reader/record.py.
interface Recorded {
  texts: {
    text: string
    tokens: string[]
    stems: string[]
    characters: number[][]
    shapes: number[][]
  }[]
  cases: {
    question: string
    passages: string[]
    readings: { answer: string; share: number; presence: number }[]
  }[]
}
const recorded: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reader-recorded.json'), 'utf8'),
)
const MEGABYTE = 1_000_000

test('a text has the same tokens, stems, characters and shapes as in training', () => {
  for (const { text, tokens, stems, characters, shapes } of recorded.texts) {
    const found = tokenize(text)
    assert.deepEqual(
      found.map((token) => token.text),
      tokens,
    )
    assert.deepEqual(
      found.map((token) => text.slice(token.start, token.end)),
      tokens,
    )
    assert.deepEqual(
      tokens.map((token) => roughStem(plainForm(token))),
      stems,
    )
    assert.deepEqual(tokens.map(characterIds), characters)
    assert.deepEqual(tokens.map(tokenShape), shapes)
  }
})

test('the shipped model answers as the trained one, up to the rounding of its weights', async () => {
  const reader = await PassageReader.load()
  for (const { question, passages, readings } of recorded.cases) {
    const found = await reader.read(question, passages)
    for (const [i, { answer, share, presence }] of readings.entries()) {
      const { spans, presence: odds } = found[i]!
      assert.ok(Math.abs(odds - presence) < 0.4, `${passages[i]}: ${odds}, in training ${presence}`)
      const [best] = spans
      // Where the reader is unsure, rounding may bring another span to the top.
      if (share > 0.4) assert.equal(passages[i]!.slice(best!.start, best!.end), answer)
    }
  }
})

test('a passage is scored the same whatever stands beside it', async () => {
  const reader = await PassageReader.load()
  const { question, passages } = recorded.cases[0]!
  const together = await reader.read(question, [...passages, passages.join(' ').repeat(3)])
  const alone = await reader.read(question, [passages[1]!])
  // The rounding of a batch follows its largest number, so not to the last digit.
  assert.ok(Math.abs(together[1]!.presence - alone[0]!.presence) < 0.4)
})

test('texts without words are read too', async () => {
  const reader = await PassageReader.load()
  const nothing = { presence: Number.NEGATIVE_INFINITY, spans: [] }
  assert.deepEqual(await reader.read('', ['Some text.']), [nothing])
  assert.deepEqual(await reader.read('Who?', []), [])
  const [empty, word, long] = await reader.read('Who came?', [
    ' \n',
    'Ann',
    'Ann came. '.repeat(4000),
  ])
  assert.deepEqual(empty, nothing)
  assert.equal(word!.spans[0]!.end, 3)
  assert.ok(Number.isFinite(long!.presence))
})

test('the model and its words stay under 15 MB', () => {
  const sizes = ['reader.onnx', 'words.txt'].map((file) => statSync(join(READER_FOLDER, file)).size)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 15 * MEGABYTE)
})
