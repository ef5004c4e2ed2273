import type { Failure } from '@docent/contract/failures/failure-codes.ts'
import type { SourceStatus } from '@docent/contract/sources.ts'
import type { DocumentInput } from '@docent/extract/extract-document.ts'
import type { PagePicture } from '@docent/extract/pdf/page-picture.ts'
import type { ReadingHost, ReadingProgress } from '@docent/extract/reading-host.ts'
import type { ExtractedText } from '@docent/extract/web/html.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'
import type { TextPiece } from '../../database/rows/packed-text.ts'
import type { Sitemap } from '../crawl/sitemap.ts'
import type { PackedPart } from './packed-passages.ts'

/** The tasks of the reading process. */
export type ReadingTask =
  | { name: 'extract'; input: DocumentInput }
  | { name: 'read'; input: DocumentInput }
  | { name: 'find-links'; input: DocumentInput; pageUrl: string }
  | { name: 'list-sitemap'; input: DocumentInput }

/** The end of a reading. The text and the passages were sent before it, in parts. */
export interface ReadingSummary {
  title: string
  pages?: number[]
  /** SHA-256 of the text. */
  hash: string
  tokens: number
}

export type ReadingResult = ExtractedText | ReadingSummary | PageLinks | Sitemap

/** A part of a document's text, or its next passages. */
export type ReadingPart = { text: TextPiece } | { passages: PackedPart }

/** Messages to the confined process: the file in pieces, then the task. */
export type ReadingOrder =
  | { type: 'piece'; offset: number; size: number; bytes: Uint8Array }
  | { type: 'task'; task: ReadingTask }
  | { type: 'recognised'; text: string }

/** Messages from the confined process. */
export type ReadingMessage =
  | { type: 'ready' }
  | { type: 'life' }
  | { type: 'progress'; progress: ReadingProgress }
  | { type: 'part'; part: ReadingPart }
  | { type: 'result'; result: ReadingResult }
  | { type: 'recognise'; picture: PagePicture }
  | { type: 'refusal'; status: SourceStatus; failure: Failure; isScan: boolean }
  | { type: 'error'; error: string }

/** The functions that a task may call while it runs. */
export interface TaskHost extends ReadingHost {
  /** Reports that the task is still working, so that it does not time out. */
  showLife(): void
  /** Resolves when the part is sent. Awaiting it keeps at most one part in memory. */
  sendPart(part: ReadingPart): Promise<void>
}
