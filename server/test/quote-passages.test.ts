import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quotePassages } from '../src/answering/quote-passages.ts'
import type { FoundPassage } from '../src/search/find-passages.ts'

/** A passage that speaks of nothing but the question. */
function found(text: string): FoundPassage {
  return {
    passage_id: 1,
    source_id: 'source',
    revision: 'revision',
    build: 'build',
    position: 0,
    count: 1,
    partStarts: [0],
    starts_at: 100,
    ends_at: 100 + text.length,
    gap: '',
    lead: '',
    text,
    page: null,
    title: 'Title',
    type: 'upload',
    file_name: 'title.txt',
    meta: '{}',
    page_url: '',
    score: 50,
    evidence: { words: 5, meaning: 1, phrases: 5, sentence: 5, coverage: 1 },
    sentenceCoverage: [1],
  }
}

// Where there are no blanks to cut at, too.
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
      // What answers is a whole character somewhere in it.
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
      // The signs for what is left out are no part of it.
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
