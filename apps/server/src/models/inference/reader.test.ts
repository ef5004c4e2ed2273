import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PassageReader, READER_FOLDER } from './passage-reader.ts'
import { Pieces } from './word-pieces.ts'

// Written by models/training/reader/record.py.
interface Recorded {
  texts: { text: string; words: string[]; pieces: string[] }[]
  cases: {
    question: string
    passages: string[]
    readings: { answer: string; share: number; presence: number; glance: number }[]
  }[]
}
const recorded: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reader-recorded.json'), 'utf8'),
)
const MEGABYTE = 1_000_000

test('a text is cut into the same pieces as in training', () => {
  const names = readFileSync(join(READER_FOLDER, 'pieces.txt'), 'utf8').trimEnd().split('\n')
  const known = new Pieces(names)
  for (const { text, words, pieces } of recorded.texts) {
    const byWord = Map.groupBy(known.cut(text, Number.POSITIVE_INFINITY), ({ start }) => start)
    const cut = [...byWord.values()]
    assert.deepEqual(
      cut.map(([first]) => text.slice(first!.start, first!.end)),
      words,
    )
    assert.deepEqual(
      cut.map((word) => word.map(({ number }) => names[number]).join(' ')),
      pieces,
    )
  }
})

test('a text that is too long is cut between two words', () => {
  const known = new Pieces(['[UNK]', '[CLS]', '[SEP]', 'be', '##hold', 'a'])
  const cut = (most: number) => known.cut('A behold é a', most).map(({ number }) => number)
  assert.deepEqual(cut(9), [5, 3, 4, 0, 5])
  assert.deepEqual(cut(2), [5])
})

test('the shipped model answers as the trained one, up to the rounding of its weights', async () => {
  const reader = await PassageReader.load()
  for (const { question, passages, readings } of recorded.cases) {
    const found = await reader.read(question, passages)
    const best = Math.max(...readings.map(({ glance }) => glance))
    for (const [i, { answer, share, presence, glance }] of readings.entries()) {
      // In these cases one passage stands out. The reader only glances at the others.
      const isRead = glance === best
      const expected = isRead ? presence : glance
      const odds = found[i]!.presence
      assert.ok(Math.abs(odds - expected) < 0.6, `${passages[i]}: ${odds}, in training ${expected}`)
      const [span] = found[i]!.spans
      // When the reader is unsure, rounding may bring another span to the top.
      if (isRead && share > 0.5) assert.equal(passages[i]!.slice(span!.start, span!.end), answer)
    }
  }
})

test('passages that a glance does not tell apart are all read, up to three', async () => {
  const reader = await PassageReader.load()
  const { question, passages } = recorded.cases[0]!
  const [alone] = await reader.read(question, [passages[0]!])
  const [glanced] = await reader.read(question, [passages[1]!, passages[0]!])
  const together = await reader.read(
    question,
    [0, 0, 0, 0, 1].map((i) => passages[i]!),
  )
  const presences = together.map(({ presence }) => presence)
  assert.deepEqual(presences.slice(0, 3), Array(3).fill(alone!.presence))
  assert.notEqual(presences[3], alone!.presence)
  assert.equal(presences[4], glanced!.presence)
})

test('of passages that promise nothing only one is read', async () => {
  const reader = await PassageReader.load()
  const { question } = recorded.cases[0]!
  const [first, second] = await reader.read(question, ['Yes.', 'Yes.'])
  assert.ok(second!.presence < -3)
  assert.notEqual(first!.presence, second!.presence)
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

test('the model and its pieces stay under 15 MB', () => {
  const files = ['glance.onnx', 'close.onnx', 'pieces.txt']
  const sizes = files.map((file) => statSync(join(READER_FOLDER, file)).size)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 15 * MEGABYTE)
})
