/** Words of a passage that may be the answer. */
export interface Span {
  /** The position in the passage, in UTF-16 units. */
  start: number
  end: number
  /** Its share of the probability of all spans of the passage, 0 to 1. */
  share: number
}

/** The reader's result for a passage. */
export interface Reading {
  /** Log odds that the passage answers the question, comparable across passages and questions. Above 0 means likely. */
  presence: number
  /** The best spans, best first. They may overlap. Empty if the passage has no words. */
  spans: Span[]
}
