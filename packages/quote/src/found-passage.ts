import type { SourceType } from '@docent/contract/sources.ts'

/** A passage as the index has it. */
export interface StoredPassage {
  passage_id: number
  source_id: string
  revision: string
  build: string
  position: number
  starts_at: number
  ends_at: number
  /** The blanks between it and the passage before it. */
  gap: string
  /** Its document's title and headings, or a pair's question. */
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

/** What speaks for a passage. Each is 0 or more, and adds to its score by its weight. */
export interface Evidence {
  /** BM25 with the chatbot's own statistics. */
  words: number
  meaning: number
  /** Neighboring words of the question that stand together in the passage, too. */
  phrases: number
  /** The rarity of the question's words that one sentence has. */
  sentence: number
  /** The share of the question, by rarity, that the passage has. */
  coverage: number
}

/** Whether it is known how near in meaning the same question in other words is (`known`), or not, or nothing is understood. */
export type Nearness = 'known' | 'unknown' | 'none'

/** A passage that a search found. */
export interface FoundPassage extends StoredPassage {
  /** How many passages it was joined from, and where each begins in its text. */
  count: number
  partStarts: number[]
  /** What an answer quotes of it, where that is not all. The range is then that of the quote. */
  quote?: string
  /** Higher is better. */
  score: number
  /** The score of a passage that is there whatever it is worth, which is found out when it is asked for. */
  weigh?: () => number
  evidence: Evidence
  nearness: Nearness
  /** For each of its sentences, the share of the question's words that it has, by their rarity. */
  sentenceCoverage: number[]
}
