import { analyzeText } from '../search/analyze-text.ts'
import type { IndexedPassage } from '../search/sqlite-index.ts'
import { type DocumentInput, extractDocument } from './extract/extract-document.ts'
import type { ExtractedText } from './extract/html.ts'
import { IngestionError } from './ingestion-error.ts'
import { splitText } from './split-text.ts'

/** What the reading process can be asked for. */
export type ReadingTask =
  | { name: 'extract'; input: DocumentInput }
  | { name: 'split'; text: string }
  | { name: 'count-tokens'; text: string }

export type ReadingResult = ExtractedText | IndexedPassage[] | number

// About ten thousand pages of a book. More comes out of a document that was made to burst.
const MAX_CHARACTERS = 25_000_000

export async function performTask(task: ReadingTask): Promise<ReadingResult> {
  switch (task.name) {
    case 'extract':
      return requireBounded(await extractDocument(task.input))
    case 'split':
      return splitText(task.text).map((span) => ({
        ...span,
        words: analyzeText(task.text.slice(span.start, span.end)).join(' '),
      }))
    case 'count-tokens':
      return countTokens(task.text)
  }
}

function requireBounded(extracted: ExtractedText): ExtractedText {
  if (extracted.text.length <= MAX_CHARACTERS) return extracted
  throw new IngestionError(
    'fail',
    'It holds more than 25 million characters of text. Try it in smaller parts.',
  )
}

// Cut at spaces, where tokens end anyhow. Where there are none for long, the tokenizer's time would grow with the
// square of the length.
const PIECES = /.{1,1000}(?:$|(?<=\S)(?= \S))|.{1,1000}/gsu

// A document may speak of a model's control tokens, which is no reason to refuse it.
const PLAIN_TEXT = new Set<string>()

async function countTokens(text: string): Promise<number> {
  // Loaded when first needed: its tables take a hundred megabytes.
  const tokenizer = await import('gpt-tokenizer')
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += tokenizer.countTokens(piece, { disallowedSpecial: PLAIN_TEXT })
  }
  return tokens
}
