/** Words of a passage that may be the answer. */
export interface Span {
  /** Where it stands in the passage, in UTF-16 units. */
  start: number
  end: number
  /** Its share of the probability of all spans of the passage, 0 to 1. */
  share: number
}

/** The model's verdict on one passage. */
export interface Reading {
  /** Log odds that the passage answers the question; comparable over passages and questions. Above 0: rather yes. */
  presence: number
  /** The best spans, best first; they may overlap. Empty where the passage has no words. */
  spans: Span[]
}
