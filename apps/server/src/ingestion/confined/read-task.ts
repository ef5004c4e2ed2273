import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DocumentInput, extractDocument, findLinks } from '@docent/extract/extract-document.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { MAX_CHARACTERS, TOO_LONG } from '@docent/extract/text-limit.ts'
import type { ExtractedText } from '@docent/extract/web/html.ts'
import { codeBlocksOf } from '@docent/text/code-blocks.ts'
import { wordsOfPassage } from '@docent/text/passage-words.ts'
import { packText } from '../../database/rows/packed-text.ts'
import type { IndexedPassage } from '../../search/index/passage-index.ts'
import { parseSitemap } from '../crawl/sitemap.ts'
import { HeadingPath } from './heading-path.ts'
import { packPassages } from './packed-passages.ts'
import { isInside, splitText } from './split-text.ts'
import type { ReadingResult, ReadingSummary, ReadingTask, TaskHost } from './worker-messages.ts'

// Passages per message. The server blocks while it receives a larger one.
const PART_PASSAGES = 500

export async function performTask(task: ReadingTask, host: TaskHost): Promise<ReadingResult> {
  switch (task.name) {
    case 'extract':
      return extract(task.input, host)
    case 'read':
      return readWhole(await extract(task.input, host), task.input.name ?? '', host)
    case 'find-links':
      return findLinks(task.input, task.pageUrl)
    case 'list-sitemap':
      return parseSitemap(task.input.bytes)
  }
}

async function extract(input: DocumentInput, host: TaskHost): Promise<ExtractedText> {
  const extracted = await extractDocument(input, host)
  if (extracted.text.length <= MAX_CHARACTERS) return extracted
  throw new IngestionError('fail', TOO_LONG)
}

/** Splits and counts in the confined process, so that the text crosses to the server once, in parts. */
async function readWhole(
  { title, text, pages }: ExtractedText,
  name: string,
  host: TaskHost,
): Promise<ReadingSummary> {
  for (const piece of packText(text)) await host.sendPart({ text: piece })
  let part: IndexedPassage[] = []
  for (const passage of splitPages(title || name, text, pages)) {
    part.push(passage)
    if (part.length < PART_PASSAGES) continue
    await host.sendPart({ passages: packPassages(part) })
    part = []
  }
  await host.sendPart({ passages: packPassages(part) })
  const tokens = await countTokens(text, host)
  return { title, ...(pages && { pages }), hash: hash('sha256', text), tokens }
}

/** A passage never crosses a page break, except to end a sentence. Each passage can thus be cited by its page. */
function* splitPages(
  title: string,
  text: string,
  pages: number[] | undefined,
): Generator<IndexedPassage> {
  const headings = new HeadingPath(title)
  if (!pages) yield* splitPart(text, 0, headings)
  const starts = pages?.map((start) => start + restOfSentence(text, start)) ?? []
  for (const [i, start] of starts.entries()) {
    for (const passage of splitPart(text.slice(start, starts[i + 1]), start, headings)) {
      yield { ...passage, page: i + 1 }
    }
  }
}

/** The length of the end of a sentence that began on the previous page. */
function restOfSentence(text: string, start: number): number {
  const goesOn = start > 0 && text[start - 1] === '\n' && text[start - 2] !== '\n'
  return goesOn
    ? (/^[^\n]{0,300}?[.!?](?=\s|$)/.exec(text.slice(start, start + 400))?.[0].length ?? 0)
    : 0
}

function* splitPart(
  part: string,
  offset: number,
  headings: HeadingPath,
): Generator<IndexedPassage> {
  const code = codeBlocksOf(part)
  for (const { start, end } of splitText(part, code)) {
    const text = part.slice(start, end)
    const lead = headings.leadTo(text, (at) => isInside(code, start + at))
    yield { start: offset + start, end: offset + end, lead, words: wordsOfPassage(lead, text) }
  }
}

// Pieces end at spaces, where tokens end as well. Long text without spaces is also cut, because tokenizing takes time
// that grows with the square of the length.
const PIECES = /.{1,1000}(?:$|(?<=\S)(?= \S))|.{1,1000}/gsu
const PIECES_BETWEEN_SIGNS = 500

// A document may mention a model's control tokens. The tokenizer would throw without this.
const PLAIN_TEXT = new Set<string>()

async function countTokens(text: string, host: TaskHost): Promise<number> {
  // Imported on first use: its tables take a hundred megabytes.
  const tokenizer = await import('gpt-tokenizer')
  let tokens = 0
  let pieces = 0
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += tokenizer.countTokens(piece, { disallowedSpecial: PLAIN_TEXT })
    pieces += 1
    if (pieces % PIECES_BETWEEN_SIGNS === 0) {
      host.showLife()
      // IPC messages are sent only when the event loop turns.
      await nextTurn()
    }
  }
  return tokens
}
