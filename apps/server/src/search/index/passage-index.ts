import type { StoredPassage } from '@docent/quote/found-passage.ts'
import type { Database, UnitStatement } from '../../database/database.ts'
import type {
  PassageVector,
  QuestionVector,
  RegisteredEmbedder,
} from '../embeddings/text-vectors.ts'
import type { Build } from '../hidden-builds.ts'
import type { WordStatistics } from '../ranking/combine-scores.ts'

/** A piece of a source's text, with the words by which it is found. */
export interface IndexedPassage {
  start: number
  end: number
  /** Of a document that has pages, counted from 1. */
  page?: number
  /** What leads to it: its document's title and its headings, or a pair's question. */
  lead: string
  /** Analyzed: a line for the lead, and one for each sentence. */
  words: string
}

/** Many of them, of which a few are needed at a time. */
export interface PassageList {
  readonly length: number
  slice(from: number, to: number): IndexedPassage[]
}

/** Passages of one text that follow each other, the first of them at a position. */
export interface Batch {
  from: number
  passages: (IndexedPassage & PassageVector & { text: string; gap: string })[]
}

/** A passage that words or meaning have named, with what it is judged by. */
export interface CandidatePassage extends StoredPassage {
  words: string
  /** Its nearness in meaning to each wording of the question. */
  cosines: number[]
}

/** A passage whose words were analyzed anew. */
export interface RewrittenPassage {
  id: number
  words: string
}

export interface WeightedTerm {
  term: string
  /** How much it tells. */
  rarity: number
}

/** How a store finds passages by words and by meaning. Each names candidates; what they are worth is judged elsewhere. */
export interface PassageIndex {
  /** How rare words are among the passages of a chatbot. */
  readStatistics(searchDb: Database, chatbotId: string, terms: string[]): Promise<WordStatistics>
  /** The ids of the passages that share words with the question, the likeliest first. */
  findByWords(searchDb: Database, chatbotId: string, terms: WeightedTerm[]): Promise<number[]>
  /** The ids of the passages whose meaning is nearest. `passages`: how many the chatbot has. */
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
  /** Of passages that are already in place. One that was deleted meanwhile is left out. */
  addVectors(
    db: Database,
    embedder: RegisteredEmbedder,
    vectors: (PassageVector & { id: number })[],
  ): Promise<boolean>
  /** Puts other words in the place of those that passages had, and counts these instead. */
  rewriteWords(db: Database, passages: RewrittenPassage[]): UnitStatement[]
  /** Makes room for an embedder's vectors, unless there is. */
  makeRoom(db: Database, embedder: RegisteredEmbedder): Promise<void>
  /** The room, that is; the vectors go with the embedder. */
  removeRoom(db: Database, embedder: RegisteredEmbedder): Promise<void>
}
