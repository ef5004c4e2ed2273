import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { splitText } from '@docent/server/src/ingestion/confined/split-text.ts'
import { BuiltInModel } from '@docent/server/src/models/embedding/built-in-encoder.ts'
import { makePdf, type PlacedText } from '@docent/server/test/files/make-pdf.ts'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { findParserData, listCases } from './evals/measure-parsers.ts'
import { DocentProcess } from './support/docent-process.ts'
import { type Form, median, ms, type Row } from './support/rows.ts'

const LINES_OF_PAGE = 50
const WORDS =
  'the pump valve of a station opens after seven minutes when pressure falls below its limit and remains so until somebody closes it by hand'.split(
    ' ',
  )

/**
 * Compares the cost of ingestion with the libraries that do the work: pdf.js reading the pages, and the encoder
 * embedding the passages, each alone.
 */
export async function* ingest({ isFull }: Form): AsyncGenerator<Row> {
  const encoder = await BuiltInModel.load()
  const embed = async (text: string) => {
    for (const { start, end } of splitText(text)) await encoder.embed(text.slice(start, end))
  }
  const kilobytes = isFull ? 2_000 : 400
  const text = longText(kilobytes)
  yield* takeIn('long.txt', Buffer.from(text), kilobytes / 1000, 'MB', () => embed(text))
  const pages = isFull ? 400 : 60
  const pdf = makePdf(Array.from({ length: pages }, (_, page) => linesOf(page)))
  yield* takeIn('long.pdf', pdf, pages, 'pages', async () => {
    for (const page of await readWithPdfJs(pdf)) await embed(page)
  })
  yield* growth(isFull ? [10, 100, 1_000, 10_000] : [10, 100, 1_000])
  yield* manyMegabytes(isFull ? 20 : 4)
  const real = isFull && findParserData()
  if (real) yield* realFiles(real)
}

async function* takeIn(
  name: string,
  bytes: Buffer<ArrayBuffer>,
  amount: number,
  unit: string,
  alone: () => Promise<void>,
): AsyncGenerator<Row> {
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
  const chatbot = (await docent.api('/chatbot/create', { name: 'Bench' })).uuid
  // The memory of the first document does not count as growth.
  await settled(docent, await docent.upload(chatbot, `small-${name}`, small(name)))
  const before = docent.residentMb()
  const ratios: { ours: number; theirs: number }[] = []
  const most = { server: before, reader: 0 }
  for (let round = 0; round < 3; round++) {
    const theirs = await timed(alone)
    const ours = await timed(async () => {
      const source = await docent.upload(chatbot, name, bytes)
      await settled(docent, source, () => {
        most.server = Math.max(most.server, docent.residentMb())
        most.reader = Math.max(most.reader, docent.readerMb())
      })
    })
    ratios.push({ ours, theirs })
  }
  await docent.stop()
  const ratio = median(ratios.map(({ ours, theirs }) => theirs / ours))
  const { ours, theirs } = ratios.find((round) => round.theirs / round.ours === ratio)!
  const speed = (took: number) => `${((amount * 1000) / took).toFixed(2)} ${unit}/s`
  const size = unit === 'pages' ? `${amount} pages` : `${amount} MB`
  yield {
    what: `reading ${name.endsWith('.pdf') ? 'a PDF' : 'a text'} of ${size}`,
    measured: speed(ours),
    against: `the libraries alone ${speed(theirs)}`,
    value: ratio,
    bar: { atLeast: 0.7 },
  }
  yield {
    what: 'server growth meanwhile, MB',
    measured: `${most.server} MB, reading process ${most.reader} MB`,
    against: `${before} MB before`,
    value: most.server - before,
    bar: { atMost: 50 },
  }
}

/** Checks linear growth: ten times the passages take ten times as long. */
async function* growth(counts: number[]): AsyncGenerator<Row> {
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
  const chatbot = (await docent.api('/chatbot/create', { name: 'Bench' })).uuid
  await settled(docent, await docent.upload(chatbot, 'small.txt', small('small.txt')))
  let before: { count: number; each: number } | undefined
  for (const count of counts) {
    const bytes = Buffer.from(longText((count * 620) / 1000))
    const took = await timed(async () =>
      settled(docent, await docent.upload(chatbot, `${count}.txt`, bytes)),
    )
    const each = took / count
    yield {
      what: `time for each passage, document of ${count.toLocaleString('en')}`,
      measured: ms(each),
      against: before ? `${ms(before.each)} with ${before.count}` : '',
      // Small documents pay the fixed costs. From a hundred passages on, the time per passage must not rise.
      ...(before && { value: each / before.each }),
      ...(before && before.count >= 100 && { bar: { atMost: 1.3 } }),
    }
    before = { count, each }
  }
  await docent.stop()
}

async function* manyMegabytes(megabytes: number): AsyncGenerator<Row> {
  // A tiny encoder, because this measures memory. A real encoder would take most of the time.
  const tiny = new URL('../apps/server/test/files/tiny-encoder', import.meta.url).pathname
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn', EMBEDDER: `folder:${tiny}` })
  const chatbot = (await docent.api('/chatbot/create', { name: 'Bench' })).uuid
  const warm = Buffer.from(longText(300))
  await settled(docent, await docent.upload(chatbot, 'warm.txt', warm))
  const source = await docent.upload(chatbot, 'long.txt', Buffer.from(longText(megabytes * 1000)))
  const before = docent.residentMb()
  let most = before
  await settled(docent, source, () => {
    most = Math.max(most, docent.residentMb())
  })
  await docent.stop()
  yield {
    what: `server growth after an upload of ${megabytes} MB of text, MB`,
    measured: `${most} MB`,
    against: `${before} MB before`,
    value: most - before,
    bar: { atMost: 50 },
  }
}

/** Uploads all kinds of files to a fresh server, including broken and hostile files. */
async function* realFiles(folder: string): AsyncGenerator<Row> {
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
  const chatbot = (await docent.api('/chatbot/create', { name: 'Bench' })).uuid
  const before = docent.residentMb()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, docent.residentMb())
  }, 20)
  const files = listCases(folder).map(({ file }) => join(folder, file))
  for (const file of files) {
    const source = await docent.upload(chatbot, basename(file), readFileSync(file))
    // A rejected upload creates no source.
    if (source !== undefined) await ended(docent, source)
  }
  clearInterval(watch)
  await docent.stop()
  yield {
    what: `server growth over ${files.length} real files, MB`,
    measured: `${most} MB`,
    against: `${before} MB before`,
    value: most - before,
    bar: { atMost: 50 },
  }
}

async function settled(docent: DocentProcess, source: string, look?: () => void) {
  const status = await ended(docent, source, look)
  if (status !== 'success') throw new Error(`taking it in ended with ${status}`)
}

async function ended(docent: DocentProcess, source: string, look: () => void = () => {}) {
  for (;;) {
    const { status } = await docent.get(`/data-source/${source}`)
    look()
    if (/^(success|fail|error)/.test(status)) return status as string
    await sleep(20)
  }
}

async function readWithPdfJs(pdf: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'))
  }
  await document.loadingTask.destroy()
  return pages
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function linesOf(page: number): PlacedText[] {
  return Array.from({ length: LINES_OF_PAGE }, (_, line) => [
    50,
    760 - line * 14,
    sentence(page * LINES_OF_PAGE + line).slice(0, 75),
  ])
}

function longText(kilobytes: number): string {
  const paragraphs: string[] = []
  for (let length = 0, i = 0; length < kilobytes * 1000; i++) {
    paragraphs.push(`${sentence(i)} ${sentence(i + 7)} ${sentence(i + 11)}`)
    length += paragraphs.at(-1)!.length + 2
  }
  return paragraphs.join('\n\n')
}

function small(name: string): Buffer<ArrayBuffer> {
  return name.endsWith('.pdf') ? makePdf([linesOf(0)]) : Buffer.from(sentence(1))
}

function sentence(number: number): string {
  const words = Array.from(
    { length: 14 },
    (_, i) => WORDS[(number * 31 + i * (1 + (number % 5))) % WORDS.length],
  )
  return `Entry ${number}: ${words.join(' ')}.`
}
