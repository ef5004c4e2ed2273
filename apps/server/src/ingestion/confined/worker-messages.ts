import type { Failure } from '@docent/contract/failures/failure-codes.ts'
import type { SourceStatus } from '@docent/contract/sources.ts'
import type { PagePicture } from '@docent/extract/pdf/page-picture.ts'
import type { ReadingHost, ReadingProgress } from '@docent/extract/reading-host.ts'
import type { TextPiece } from '../../database/rows/packed-text.ts'
import type { PackedPart } from './packed-passages.ts'
import type { ReadingResult, ReadingTask } from './read-task.ts'

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
