import type { DocumentInput } from '@docent/extract/extract-document.ts'
import type { ExtractedText } from '@docent/extract/web/html.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'
import { PackedText } from '../../database/rows/packed-text.ts'
import type { PassageList } from '../../search/index/passage-index.ts'
import type { Sitemap } from '../crawl/sitemap.ts'
import type { ReadingLimits, TaskListener } from './document-process.ts'
import { ReadingQueue } from './document-queue.ts'
import { PackedPassages } from './packed-passages.ts'
import type { ReadingPart, ReadingResult, ReadingSummary, ReadingTask } from './worker-messages.ts'

// So that one heavy document does not hold up all others of its owner.
const PROCESSES = 2

const LIMITS: ReadingLimits = {
  silenceMs: 25_000,
  barrenMs: 60_000,
  taskMs: 300_000,
  // It is looked at now and then, so that what is taken in between has to fit below a gigabyte, too.
  memoryMb: 800,
  idleMs: 20_000,
}

/** A document, read and cut into passages. */
export interface ReadDocument extends ReadingSummary {
  text: PackedText
  passages: PassageList
}

const SCAN_MS = 1_200_000

export interface ReadListener extends Omit<TaskListener, 'onPart'> {
  /** Its text is there, its passages come next. */
  onText?: () => void
}

/** For documents whose pages have to be recognised: it takes minutes, and must not keep the others waiting. */
export function scanReader(): DocumentReader {
  return DocumentReader.open({ barrenMs: SCAN_MS, taskMs: SCAN_MS }, 1)
}

/** Reads documents in processes of their own. */
export class DocumentReader {
  readonly #queue: ReadingQueue
  readonly #owner: string

  private constructor(queue: ReadingQueue, owner: string) {
    this.#queue = queue
    this.#owner = owner
  }

  static open(limits: Partial<ReadingLimits> = {}, processes = PROCESSES): DocumentReader {
    return new DocumentReader(new ReadingQueue({ ...LIMITS, ...limits }, processes), '')
  }

  /** The same reader for what belongs to one owner, who takes turns with the others. */
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

  /** The text of a document, its passages and its tokens. */
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

  /** What is being read is given up, and what comes later is refused. */
  close(): Promise<void> {
    return this.#queue.close()
  }

  #perform(task: ReadingTask, listener: TaskListener = {}): Promise<ReadingResult> {
    return this.#queue.perform(task, listener, this.#owner)
  }
}
