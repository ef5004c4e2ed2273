import type { DocumentInput } from '@docent/extract/extract-document.ts'
import type { ExtractedText } from '@docent/extract/web/html.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'
import { PackedText } from '../../database/rows/packed-text.ts'
import type { PassageList } from '../../search/index/passage-index.ts'
import type { Sitemap } from '../crawl/sitemap.ts'
import type { ReadingLimits, TaskListener } from './document-process.ts'
import { DocumentQueue } from './document-queue.ts'
import { PackedPassages } from './packed-passages.ts'
import type { ReadingPart, ReadingResult, ReadingSummary, ReadingTask } from './worker-messages.ts'

// Two, so that one heavy document does not block all other documents of its owner.
const PROCESSES = 2

const LIMITS: ReadingLimits = {
  stallTimeoutMs: 25_000,
  noTextTimeoutMs: 60_000,
  taskMs: 300_000,
  // Memory is sampled, so growth between two samples must fit below one gigabyte, too.
  memoryMb: 800,
  idleMs: 20_000,
}

export interface ReadDocument extends ReadingSummary {
  text: PackedText
  passages: PassageList
}

const SCAN_MS = 1_200_000

export interface ReadListener extends Omit<TaskListener, 'onPart'> {
  /** Called when the first part of the text arrives. The document is parsed then, and its passages follow. */
  onText?: () => void
}

/** A separate reader for scans: text recognition takes minutes and must not block other documents. */
export function scanReader(): DocumentReader {
  return DocumentReader.open({ noTextTimeoutMs: SCAN_MS, taskMs: SCAN_MS }, 1)
}

/** Reads documents in confined processes. */
export class DocumentReader {
  readonly #queue: DocumentQueue
  readonly #owner: string

  private constructor(queue: DocumentQueue, owner: string) {
    this.#queue = queue
    this.#owner = owner
  }

  static open(limits: Partial<ReadingLimits> = {}, processes = PROCESSES): DocumentReader {
    return new DocumentReader(new DocumentQueue({ ...LIMITS, ...limits }, processes), '')
  }

  /** Returns a reader for one owner. Owners take turns in the shared queue. */
  of(owner: string): DocumentReader {
    return new DocumentReader(this.#queue, owner)
  }

  extract(input: DocumentInput): Promise<ExtractedText> {
    return this.#perform({ name: 'extract', input }) as Promise<ExtractedText>
  }

  findLinks(input: DocumentInput, pageUrl: string): Promise<PageLinks> {
    return this.#perform({ name: 'find-links', input, pageUrl }) as Promise<PageLinks>
  }

  listSitemap(bytes: Uint8Array, signal: AbortSignal): Promise<Sitemap> {
    const input: DocumentInput = { bytes, kind: 'xml' }
    return this.#perform({ name: 'list-sitemap', input }, { signal }) as Promise<Sitemap>
  }

  async read(
    input: DocumentInput,
    { onText, ...listener }: ReadListener = {},
  ): Promise<ReadDocument> {
    const text = new PackedText()
    const passages = new PackedPassages()
    const onPart = (part: ReadingPart) => {
      if (text.length === 0) onText?.()
      if ('text' in part) text.add(part.text)
      else passages.add(part.passages)
    }
    const summary = await this.#perform({ name: 'read', input }, { ...listener, onPart })
    return { ...(summary as ReadingSummary), text, passages }
  }

  /** Ends running tasks and rejects new ones. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  #perform(task: ReadingTask, listener: TaskListener = {}): Promise<ReadingResult> {
    return this.#queue.perform(task, listener, this.#owner)
  }
}
