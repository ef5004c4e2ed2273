import { createHash, hash } from 'node:crypto'
import { createReadStream, existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { type Chatbot, type Docent, type Source, sourceMeta } from '@docent/client'
import { openFile } from '@docent/client/node'
import { type Invocation, UsageError } from '../command.ts'
import { readTable } from './read-table.ts'

/** A file, page or pair for a chatbot, with the data to recognize it later. */
export interface Item {
  /** The same for the same file, page or question, whatever its content. */
  key: string
  /** Changes with the content. */
  digest: string
  label: string
  /** Found in a folder: a type that the server cannot read is skipped and does not fail. */
  isFromFolder: boolean
  send(client: Docent, chatbot: Chatbot, sending: Sending): Promise<Source>
  /** Whether an existing source is this item. */
  isSame(source: Source): boolean
  /** Whether `isSame` is certain. It compares only the name and size of a file. */
  hasExactMatch: boolean
}

export interface Sending {
  tell(share: number | undefined): void
  /** Aborts at once, because a large file takes minutes. */
  signal: AbortSignal
}

const SKIPPED = /^(\.|~\$)|^(node_modules|Thumbs\.db)$|\.(lock|swp|tmp|part|crdownload)$|~$/

/** Digests of files that have not changed since they were read. */
export type KnownFiles = Map<string, { mtimeMs: number; size: number; digest: string }>

/** Resolves the arguments to addresses, files, and all files in folders. */
export async function findItems(call: Invocation, known: KnownFiles): Promise<Item[]> {
  const items: Item[] = []
  for (const given of call.args) {
    if (/^https?:\/\//i.test(given)) {
      items.push(pageItem(given, call))
      continue
    }
    const path = resolve(given)
    if (!existsSync(path)) throw new UsageError(`There is no file or folder ${given}.`)
    for (const file of filesBelow(path)) {
      const isFromFolder = file !== path
      const label = isFromFolder ? join(given, relative(path, file)) : given
      const pairs = call.switches['csv-as-file'] ? undefined : pairsOf(file, isFromFolder)
      if (pairs) items.push(...pairs)
      else items.push(fileItem(file, label, isFromFolder, await digestOf(file, known)))
    }
  }
  return items
}

function pageItem(url: string, { values, switches }: Invocation): Item {
  const maxPages = wholeNumber(values['max-pages'], '--max-pages')
  const hours = wholeNumber(values.refresh, '--refresh')
  const options = {
    ...((switches.crawl || maxPages !== undefined) && {
      crawl: { ...(maxPages !== undefined && { max_pages: maxPages }) },
    }),
    ...(hours !== undefined && { refresh_hours: hours }),
  }
  return {
    key: `page:${url}`,
    digest: hash('sha256', JSON.stringify([url, options])),
    label: url,
    isFromFolder: false,
    send: (client, chatbot, { signal }) =>
      client.sources.addUrl(chatbot, url, { ...options, signal }),
    isSame: (source) => source.type === 'link' && sourceMeta(source).url === url,
    hasExactMatch: true,
  }
}

/** Reads a table with the columns "question" and "answer" as pairs. Any other table is a document. */
function pairsOf(file: string, isFromFolder: boolean): Item[] | undefined {
  if (!/\.(csv|tsv)$/i.test(file)) return undefined
  const { columns, rows } = readTable(file)
  if (!columns.includes('question') || !columns.includes('answer')) return undefined
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    const { question = '', answer = '' } = row
    if (question === '' || answer === '') {
      throw new UsageError(`${file}: row ${index + 2} has no ${question ? 'answer' : 'question'}.`)
    }
    const times = seen.get(question) ?? 0
    seen.set(question, times + 1)
    return {
      key: `pair:${file}:${hash('sha256', question)}:${times}`,
      digest: hash('sha256', JSON.stringify([question, answer])),
      label: question,
      isFromFolder,
      send: (client, chatbot, { signal }) =>
        client.sources.addQa(chatbot, question, answer, { signal }),
      isSame(source) {
        if (source.type !== 'qa') return false
        const meta = sourceMeta(source)
        return meta.question === question && meta.answer === answer
      },
      hasExactMatch: true,
    } satisfies Item
  })
}

function fileItem(file: string, label: string, isFromFolder: boolean, digest: string): Item {
  return {
    key: `file:${file}`,
    digest,
    label,
    isFromFolder,
    async send(client, chatbot, { tell, signal }) {
      const onProgress = ({ sent, total }: { sent: number; total: number | undefined }) =>
        tell(total ? sent / total : undefined)
      return client.sources.upload(chatbot, await openFile(file), { onProgress, signal })
    },
    isSame: (source) =>
      source.type === 'upload' &&
      source.file_name === basename(file) &&
      source.file_size === lstatSync(file, { throwIfNoEntry: false })?.size,
    hasExactMatch: false,
  }
}

/** Skips hidden and empty files, and leftovers of other programs. Does not follow links. */
function filesBelow(path: string): string[] {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return filesBelow(inner)
      return entry.isFile() && lstatSync(inner).size > 0 ? [inner] : []
    })
}

async function digestOf(file: string, known: KnownFiles): Promise<string> {
  const { mtimeMs, size } = lstatSync(file)
  const before = known.get(file)
  if (before && before.mtimeMs === mtimeMs && before.size === size) return before.digest
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(file)) digest.update(chunk)
  const found = { mtimeMs, size, digest: digest.digest('hex') }
  known.set(file, found)
  return found.digest
}

function wholeNumber(given: string | undefined, option: string): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d+$/.test(given)) throw new UsageError(`${option} must be a whole number.`)
  return Number(given)
}
