import type { ModelChoice } from '../models/model-catalog.ts'
import { Places } from '../sharing/places.ts'

/**
 * The places of questions that wait for the first text of their answer. Language models have separate places, so a
 * silent provider never blocks the built-in engine.
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
   * Takes a place, or throws 503. The first model decides the kind of place. An answer keeps its place during a
   * fallback, because an accepted question must not be rejected midway.
   */
  take(ownerId: string, { languageModel }: ModelChoice): () => void {
    return (languageModel ? this.model : this.builtIn).take(ownerId)
  }
}

const TOO_MANY = 'Too many questions are waiting for answers. Try again in a moment.'
