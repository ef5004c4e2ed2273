import type { FinishReason } from '@docent/contract/messages.ts'
import type { Cited } from '@docent/quote/citations.ts'
import type { TokenUsage } from '../models/catalog.ts'

/** Something in an answer that was made harmless. */
export interface Neutralised {
  kind: 'link' | 'image' | 'html' | 'invisible'
  /** What it was; for invisible characters, which ones. */
  text: string
}

/** Who answers, a piece of a growing answer, and its end. A failure is thrown, never a quiet end. */
export type AnswerEvent =
  | {
      type: 'begin'
      model: string
      /** An estimate, for an answer that never gets to what the provider counted. */
      promptTokens: number
      /** What the answer cites, whether it is whole or broke off. */
      cite(text: string): Cited
      /** The question-and-answer pair that answers in a language model's place. */
      pair?: string
      /** Grows with the answer. */
      neutralised: readonly Neutralised[]
    }
  | { type: 'text-delta'; text: string }
  | {
      type: 'finish'
      reason: FinishReason
      tokens: TokenUsage
      /** That the sources hold the answer, from 0 to 1, where the built-in engine answered. */
      confidence?: number
      /** False when the sources do not hold the answer. Undefined: nothing tells. */
      answered?: boolean | undefined
    }
