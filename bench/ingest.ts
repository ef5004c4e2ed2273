import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildServer, startChild } from '../server/test/child-server.ts'
import { Client } from '../server/test/harness.ts'
import { makePdf, type PlacedText } from '../server/test/make-pdf.ts'

// What taking in a long document costs: its speed, the memory of the server and of the process that reads it, and how
// long others wait meanwhile.
//   node bench/ingest.ts [pages of the PDF] [megabytes of the text] [rounds]

const PAGES = Number(process.argv[2] ?? 1_600)
const MEGABYTES = Number(process.argv[3] ?? 20)
const ROUNDS = Number(process.argv[4] ?? 3)
const LINES_OF_PAGE = 50
const WORDS =
  'the pump valve of a station opens after seven minutes when pressure falls below its limit and remains so until somebody closes it by hand'.split(
    ' ',
  )

for (let round = 0; round < ROUNDS; round++) {
  await measure(`PDF of ${PAGES} pages`, 'long.pdf', longPdf(), PAGES, 'pages')
  await measure(`text of ${MEGABYTES} MB`, 'long.txt', longText(), MEGABYTES, 'MB')
}

async function measure(
  name: string,
  fileName: string,
  bytes: Buffer<ArrayBuffer>,
  amount: number,
  unit: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
  const server = await startChild('server/src/cli.ts', { DATA_DIR: folder }, ['serve'])
  try {
    const client = new Client(server.address, server.token!)
    const chatbot = await client.createChatbot()
    // So that what the first requests and the first document take is not counted as growth.
    const warm = await client.upload(chatbot, fileName, small(fileName))
    await client.settled(((await warm.json()) as { uuid: string }).uuid)
    for (let i = 0; i < 500; i++) await client.json('GET', `/chatbot/${chatbot}/data-sources`)

    const upload = await client.upload(chatbot, fileName, bytes)
    const { uuid } = (await upload.json()) as { uuid: string }
    const before = residentMb(server.process.pid!)
    const started = performance.now()
    const watched = await watch(server, client, uuid)
    const seconds = (performance.now() - started) / 1000
    process.stdout.write(
      `${name}: ${watched.status}, ${(amount / seconds).toFixed(1)} ${unit}/s; server ${before} MB and ` +
        `${watched.serverMb - before} more; reading process ${watched.readerMb} MB; ` +
        `longest read ${watched.readMs} ms, write ${watched.writeMs} ms\n`,
    )
  } finally {
    await server.end('SIGTERM')
    rmSync(folder, { recursive: true })
  }
}

/** Asks for the source and writes something else until it is taken in; the worst of everything. */
async function watch({ process: { pid } }: ChildServer, client: Client, source: string) {
  const worst = { status: '', serverMb: 0, readerMb: 0, readMs: 0, writeMs: 0 }
  const other = await client.createChatbot()
  const timed = async (name: 'readMs' | 'writeMs', work: Promise<{ body: { status: string } }>) => {
    const started = performance.now()
    const { body } = await work
    worst[name] = Math.max(worst[name], Math.round(performance.now() - started))
    return body
  }
  const update = () => client.json('POST', `/chatbot/${other}/update`, { prompt: 'Be brief.' })
  while (!/^(success|fail|error)/.test(worst.status)) {
    const [{ status }] = await Promise.all([
      timed('readMs', client.json('GET', `/data-source/${source}`)),
      timed('writeMs', update()),
    ])
    worst.status = status
    worst.serverMb = Math.max(worst.serverMb, residentMb(pid!))
    worst.readerMb = Math.max(worst.readerMb, ...childrenOf(pid!).map(residentMb))
    await sleep(10)
  }
  return worst
}

function longPdf(): Buffer<ArrayBuffer> {
  return makePdf(Array.from({ length: PAGES }, (_, page) => linesOf(page)))
}

function linesOf(page: number): PlacedText[] {
  return Array.from({ length: LINES_OF_PAGE }, (_, line) => [
    50,
    760 - line * 14,
    sentence(page * LINES_OF_PAGE + line).slice(0, 75),
  ])
}

function longText(): Buffer<ArrayBuffer> {
  const paragraphs: string[] = []
  for (let length = 0, i = 0; length < MEGABYTES * 1_000_000; i++) {
    paragraphs.push(`${sentence(i)} ${sentence(i + 7)} ${sentence(i + 11)}`)
    length += paragraphs.at(-1)!.length + 2
  }
  return Buffer.from(paragraphs.join('\n\n'))
}

function small(fileName: string): Buffer<ArrayBuffer> {
  return fileName.endsWith('.pdf') ? makePdf([linesOf(0)]) : Buffer.from(sentence(1))
}

function sentence(number: number): string {
  const words = Array.from(
    { length: 14 },
    (_, i) => WORDS[(number * 31 + i * (1 + (number % 5))) % WORDS.length],
  )
  return `Entry ${number}: ${words.join(' ')}.`
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
