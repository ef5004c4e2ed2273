import type { StoredPassage } from '@docent/quote/found-passage.ts'
import type { Database, UnitStatement } from '../../database/database.ts'
import type { Build } from '../hidden-builds.ts'
import type { WordStatistics } from '../ranking/combine-scores.ts'
import type { PassageVector, QuestionVector, RegisteredEmbedder } from '../vectors/text-vectors.ts'

/** A piece of a source's text, with the words that find it. */
export interface IndexedPassage {
  start: number
  end: number
  /** Page number from 1, for documents with pages. */
  page?: number
  /** The document's title and the headings above the passage, or the question of a pair. */
  lead: string
  /** Analyzed words: one line for the lead, then one for each sentence. */
  words: string
}

/** A long list that is read in slices. */
export interface PassageList {
  readonly length: number
  slice(from: number, to: number): IndexedPassage[]
}

/** Consecutive passages of one text. `from` is the position of the first. */
export interface Batch {
  from: number
  passages: (IndexedPassage & PassageVector & { text: string; gap: string })[]
}

/** A passage that words or meaning found, with the data to score it. */
export interface CandidatePassage extends StoredPassage {
  words: string
  /** Nearness in meaning to each wording of the question. */
  cosines: number[]
}

/** A passage whose words were analyzed again. */
export interface RewrittenPassage {
  id: number
  words: string
}

export interface WeightedTerm {
  term: string
  /** Higher for words that fewer passages contain. */
  rarity: number
}

/** Finds passages by words and by meaning in one kind of database. It names candidates, which are scored elsewhere. */
export interface PassageIndex {
  readStatistics(searchDb: Database, chatbotId: string, terms: string[]): Promise<WordStatistics>
  /** Returns the ids of the passages that share words with the question, likeliest first. */
  findByWords(searchDb: Database, chatbotId: string, terms: WeightedTerm[]): Promise<number[]>
  /** Returns the ids of the passages nearest in meaning. `passages` is the number of the chatbot's passages. */
  findByMeaning(
    searchDb: Database,
    chatbotId: string,
    question: QuestionVector,
    passages: number,
  ): Promise<number[]>
  readCandidates(
    searchDb: Database,
    chatbotId: string,
    ids: number[],
    wordings: (QuestionVector | undefined)[],
  ): Promise<CandidatePassage[]>
  insertPassages(
    db: Database,
    embedder: RegisteredEmbedder,
    build: Build,
    revision: string,
    batch: Batch,
  ): UnitStatement[]
  /** Adds vectors to existing passages. Skips passages that were deleted meanwhile. */
  addVectors(
    db: Database,
    embedder: RegisteredEmbedder,
    vectors: (PassageVector & { id: number })[],
  ): Promise<boolean>
  /** Replaces the words of passages and updates the word counts. */
  rewriteWords(db: Database, passages: RewrittenPassage[]): UnitStatement[]
  /** Creates the tables for an embedder's vectors if they are missing. */
  createVectorTables(db: Database, embedder: RegisteredEmbedder): Promise<void>
  /** Drops only these tables. The vectors are deleted with the embedder. */
  dropVectorTables(db: Database, embedder: RegisteredEmbedder): Promise<void>
}
