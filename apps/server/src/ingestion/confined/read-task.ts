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

// What crosses to the server at once: as much as it can take in without holding others up.
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

/** A text is cut and counted where it was read, so that it crosses to the server once, and part by part. */
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

/** No passage goes over from one page to the next but for the end of a sentence, so that each can be cited by its page. */
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

/** How much of a page ends a sentence that began on the one before it. */
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

// Cut at spaces, where tokens end anyhow. Where there are none for long, the tokenizer's time would grow with the
// square of the length.
const PIECES = /.{1,1000}(?:$|(?<=\S)(?= \S))|.{1,1000}/gsu
const PIECES_BETWEEN_SIGNS = 500

// A document may speak of a model's control tokens, which is no reason to refuse it.
const PLAIN_TEXT = new Set<string>()

async function countTokens(text: string, host: TaskHost): Promise<number> {
  // Loaded when first needed: its tables take a hundred megabytes.
  const tokenizer = await import('gpt-tokenizer')
  let tokens = 0
  let pieces = 0
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += tokenizer.countTokens(piece, { disallowedSpecial: PLAIN_TEXT })
    pieces += 1
    if (pieces % PIECES_BETWEEN_SIGNS === 0) {
      host.showLife()
      // What was said is sent only when the loop of events turns.
      await nextTurn()
    }
  }
  return tokens
}
