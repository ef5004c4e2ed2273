import type { SourceType } from '@docent/contract/sources.ts'

/** A passage as stored in the index. */
export interface StoredPassage {
  passage_id: number
  source_id: string
  revision: string
  build: string
  position: number
  starts_at: number
  ends_at: number
  /** The whitespace between this passage and the one before it. */
  gap: string
  /** The document's title and headings, or a pair's question. */
  lead: string
  text: string
  page: number | null
  title: string
  type: SourceType
  file_name: string
  meta: string
  /** Empty unless the source is a whole site. */
  page_url: string
}

/** The features that score a passage. Each is 0 or more, and the score is their weighted sum. */
export interface Evidence {
  /** BM25 with the chatbot's own statistics. */
  words: number
  meaning: number
  /** Neighboring words of the question that are also neighbors in the passage. */
  phrases: number
  /** The rarity of the question's words in the best sentence. */
  sentence: number
  /** The share of the question's words in the passage, weighted by rarity. */
  coverage: number
}

/**
 * `known`: it is known how similar paraphrases of a question score. `unknown`: it is not. `none`: the embedder does not
 * understand the question.
 */
export type Nearness = 'known' | 'unknown' | 'none'

/** A passage found by a search. */
export interface FoundPassage extends StoredPassage {
  /** How many passages were joined, and where each begins in `text`. */
  count: number
  partStarts: number[]
  /** The quoted part, if an answer quotes only a part. The range is then that of the quote. */
  quote?: string
  /** Higher is better. */
  score: number
  /** Computes the score on demand, for passages that are included whatever they score. */
  weigh?: () => number
  evidence: Evidence
  nearness: Nearness
  /** For each sentence, its share of the question's words, weighted by rarity. */
  sentenceCoverage: number[]
}
