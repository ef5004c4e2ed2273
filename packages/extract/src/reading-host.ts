import type { PagePicture } from './pdf/page-picture.ts'

export interface ReadingProgress {
  done: number
  found: number
  /** Characters read since the last report. */
  characters: number
}

/** The process that started a reader. It receives the progress and does what the confined reader cannot. */
export interface ReadingHost {
  showProgress(progress: ReadingProgress): void
  /** Recognizes the text of a page that is an image. The reader cannot start the program that this needs. */
  recognise(picture: PagePicture): Promise<string>
}
