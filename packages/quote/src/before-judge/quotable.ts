import type { FoundPassage } from '../found-passage.ts'

/** A sentence before it is scored. */
export interface Quotable {
  passage: FoundPassage
  /** Of its passage, among the passages that the search found. */
  rank: number
  index: number
  start: number
  end: number
  /** Where the quote leaves out words of the sentence. */
  cut?: { before: boolean; after: boolean }
}
