import type { FinishReason } from '@docent/contract/messages.ts'
import type { Cited } from '@docent/quote/citations.ts'
import type { TokenUsage } from '../models/model-catalog.ts'

/** A part of an answer that the output guard neutralized. */
export interface Neutralized {
  kind: 'link' | 'image' | 'html' | 'invisible'
  /** The original text, or the code points of invisible characters. */
  text: string
}

/** The beginning, growth and end of an answer. A failure is thrown, so an answer never ends silently. */
export type AnswerEvent =
  | {
      type: 'begin'
      model: string
      /** An estimate, used if the answer ends before the provider reports its count. */
      promptTokens: number
      /** Finds the citations of a complete or partial answer. */
      cite(text: string): Cited
      /** The source id of the pair that answers instead of a language model. */
      pair?: string
      /** Grows with the answer. */
      neutralised: readonly Neutralized[]
    }
  | { type: 'text-delta'; text: string }
  | {
      type: 'finish'
      reason: FinishReason
      tokens: TokenUsage
      /** The built-in engine's probability, from 0 to 1, that the sources hold the answer. */
      confidence?: number
      /** False if the sources do not hold the answer. Undefined if unknown. */
      answered?: boolean | undefined
    }
