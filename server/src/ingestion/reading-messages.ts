import type { Failure } from '../../../contract/src/failure-codes.ts'
import type { SourceStatus } from '../database/tables.ts'
import type { TextPiece } from '../store/packed-text.ts'
import type { PagePicture } from './extract/pdf/page-picture.ts'
import type { PackedPart } from './packed-passages.ts'
import type { ReadingResult, ReadingTask } from './perform-task.ts'

/** How much of a document has been read, where that can be told. */
export interface ReadingProgress {
  done: number
  found: number
  /** That were read since the last time. */
  characters: number
}

/** A stretch of the text, or the passages that come next. */
export type ReadingPart = { text: TextPiece } | { passages: PackedPart }

/** What the server says to the process: the file in pieces, then what to do with it. */
export type ReadingOrder =
  | { type: 'piece'; offset: number; size: number; bytes: Uint8Array }
  | { type: 'task'; task: ReadingTask }
  | { type: 'recognised'; text: string }

/** What the process says of its task. */
export type ReadingMessage =
  | { type: 'ready' }
  | { type: 'life' }
  | { type: 'progress'; progress: ReadingProgress }
  | { type: 'part'; part: ReadingPart }
  | { type: 'result'; result: ReadingResult }
  | { type: 'recognise'; picture: PagePicture }
  | { type: 'refusal'; status: SourceStatus; failure: Failure; isScan: boolean }
  | { type: 'error'; error: string }

/** What those who read a document can say while they do. */
export interface ReadingHost {
  /** That the work goes on, however long it takes. */
  showLife(): void
  showProgress(progress: ReadingProgress): void
  /** Comes back when it is on its way, so that no more than a part is held. */
  sendPart(part: ReadingPart): Promise<void>
  /** The text of a page that is a picture, which takes a program that can't be started here. */
  recognise(picture: PagePicture): Promise<string>
}
