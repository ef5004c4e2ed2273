import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLinks } from '@docent/server/src/answering/text/allowed-links.ts'
import { FinishedText } from '@docent/server/src/answering/text/finish-text.ts'
import { isSafeChunk, safeChunkLength } from '@docent/server/src/http/streams/text-stream.ts'
import { splitText } from '@docent/server/src/ingestion/confined/split-text.ts'
import { compilePattern } from '@docent/server/src/ingestion/crawl/path-pattern.ts'
import { analyzeText } from '@docent/text/analyze-text.ts'
import { sentencesOf } from '@docent/text/sentences.ts'
import { growsTooFast } from './growth.ts'

// Functions that process untrusted text on the main thread, where a slow call delays all requests. Their time may grow
// linearly with the text, but not with its square.

const PIECES = [
  ' ',
  '\n',
  'a',
  'a.',
  'a.a ',
  '1',
  '.',
  ')',
  '[',
  '](',
  ']( ',
  '![',
  '![a](',
  ']:',
  '<a ',
  '<!--',
  '&#97;',
  '&',
  '\\',
  '\\:',
  'www.',
  'http://a)',
  'http://',
  '[1.1]',
  '[1',
  '(see ',
  '`',
  '\u200d',
  'é',
  '中',
]

/** Longer than any text that a stream holds back. */
const LENGTH = 8_000

const PASSAGE = {
  marker: '1.1',
  title: 'Hours',
  text: 'Open daily. See https://museum.example/a',
  page_url: '',
  meta: '{}',
}

function finish(pieces: Iterable<string>): string {
  const sources = { passages: [PASSAGE] as never, prompt: '', allowLinks: [] }
  const finished = new FinishedText({ ...sources, show_citations: true })
  let out = ''
  for (const piece of pieces) out += finished.add(piece)
  return out + finished.end()
}

const WAYS: Record<string, (text: string) => unknown> = {
  'finishing an answer that comes at once': (text) => finish([text]),
  'finishing an answer that comes in small pieces': (text) => finish(text.match(/.{1,5}/gs)!),
  'listing the links of a passage': (text) => [...listLinks(text)],
  'telling whether a chunk is JSON': isSafeChunk,
  'telling what of a chunk waits': safeChunkLength,
  'dividing a text into sentences': sentencesOf,
  'dividing a text into passages': splitText,
  'finding the words of a text': analyzeText,
  'comparing a path with a pattern': (text) => compilePattern(`/${'*a'.repeat(50)}$`)(text),
}

for (const [what, way] of Object.entries(WAYS)) {
  test(`${what} takes no longer than the text is long`, () => {
    const steep = PIECES.flatMap((piece) =>
      ['', ']('].flatMap((start) => {
        const run = (length: number) => {
          way(start + piece.repeat(Math.ceil(length / piece.length)))
        }
        return growsTooFast(LENGTH, run) ? [JSON.stringify({ start, piece })] : []
      }),
    )
    assert.deepEqual(steep, [])
  })
}
