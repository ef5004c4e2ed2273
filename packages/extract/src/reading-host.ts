import type { PagePicture } from './pdf/page-picture.ts'

/** How much of a document has been read, where that can be told. */
export interface ReadingProgress {
  done: number
  found: number
  /** That were read since the last time. */
  characters: number
}

/** The caller of a document's reader. It hears how far the reader got, and does what the reader cannot. */
export interface ReadingHost {
  showProgress(progress: ReadingProgress): void
  /** The text of a page that is a picture. Recognizing it takes a program that cannot be started here. */
  recognise(picture: PagePicture): Promise<string>
}
