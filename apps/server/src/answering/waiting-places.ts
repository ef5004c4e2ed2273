import type { ModelChoice } from '../models/catalog.ts'
import { Places } from '../sharing/places.ts'

/**
 * The places of questions that wait for the first word of their answer. Those for a language model have places of their
 * own, so that a silent provider never keeps the built-in engine from answering.
 */
export class WaitingPlaces {
  readonly model: Places
  readonly builtIn: Places

  constructor(most: number) {
    this.model = new Places({ limit: 'model_answers', most, refusal: TOO_MANY })
    this.builtIn = new Places({ limit: 'built_in_answers', most, refusal: TOO_MANY })
  }

  get taken(): number {
    return this.model.taken + this.builtIn.taken
  }

  /**
   * Takes a place, or throws 503. The model that is asked first decides which. An answer keeps its place when a fallback
   * gives it: it was accepted, and must not be refused half way.
   */
  take(ownerId: string, { languageModel }: ModelChoice): () => void {
    return (languageModel ? this.model : this.builtIn).take(ownerId)
  }
}

const TOO_MANY = 'Too many questions are waiting for their answers. Ask again in a moment.'
