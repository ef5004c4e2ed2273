import { analyzeText } from '../search/analyze-text.ts'
import type { IndexedPassage } from '../search/sqlite-index.ts'
import { type DocumentInput, extractDocument, findLinks } from './extract/extract-document.ts'
import type { ExtractedText } from './extract/html.ts'
import type { PageLinks } from './extract/links.ts'
import { IngestionError } from './ingestion-error.ts'
import { splitText } from './split-text.ts'
import { MAX_CHARACTERS, TOO_LONG } from './text-limit.ts'

/** What the reading process can be asked for. */
export type ReadingTask =
  | { name: 'extract'; input: DocumentInput }
  | { name: 'find-links'; input: DocumentInput; pageUrl: string }
  | { name: 'split'; text: string; pages?: number[] | undefined }
  | { name: 'count-tokens'; text: string }

export type ReadingResult = ExtractedText | PageLinks | IndexedPassage[] | number

export async function performTask(
  task: ReadingTask,
  onProgress: () => void,
): Promise<ReadingResult> {
  switch (task.name) {
    case 'extract':
      return requireBounded(await extractDocument(task.input, onProgress))
    case 'find-links':
      return findLinks(task.input, task.pageUrl)
    case 'split':
      return task.pages ? splitPages(task.text, task.pages) : splitPart(task.text, 0)
    case 'count-tokens':
      return countTokens(task.text)
  }
}

/** No passage goes over from one page to the next, so that each can be cited by its page. */
function splitPages(text: string, pages: number[]): IndexedPassage[] {
  return pages.flatMap((start, i) =>
    splitPart(text.slice(start, pages[i + 1]), start).map((passage) => ({
      ...passage,
      page: i + 1,
    })),
  )
}

function splitPart(part: string, offset: number): IndexedPassage[] {
  return splitText(part).map(({ start, end }) => ({
    start: offset + start,
    end: offset + end,
    words: analyzeText(part.slice(start, end)).join(' '),
  }))
}

function requireBounded(extracted: ExtractedText): ExtractedText {
  if (extracted.text.length <= MAX_CHARACTERS) return extracted
  throw new IngestionError('fail', TOO_LONG)
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
