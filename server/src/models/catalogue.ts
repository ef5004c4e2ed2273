/** Answers by quoting the sources; needs no key and no network. */
export const BUILT_IN_MODEL = 'docent-quote'

/** What a language model is asked. */
export interface ModelRequest {
  system: string
  prompt: string
  temperature: number
}

export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'finish'; reason: 'stop' | 'length' | 'content_filter'; tokens: TokenUsage }

export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

/** What the built-in answerer spends. */
export const NO_TOKENS: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** A model of some provider. Failing means throwing; aborting the signal closes the provider's connection. */
export interface LanguageModel {
  name: string
  provider: string
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface ModelChoice {
  asked: string
  used: string
  /** Undefined: the built-in engine answers. */
  languageModel: LanguageModel | undefined
}

// Names that clients of the published service send. They mean that model where a provider for it is configured.
const WELL_KNOWN = /^(gpt-|o\d|claude-|gemini-)[\w.:-]*$/

export class ModelCatalogue {
  readonly defaultName: string
  readonly #models: ReadonlyMap<string, LanguageModel>

  constructor(defaultName: string, models: LanguageModel[] = []) {
    this.defaultName = defaultName
    this.#models = new Map(models.map((model) => [model.name, model]))
  }

  list(): { name: string; provider: string; default: boolean }[] {
    const all = [
      ...[...this.#models.values()].map(({ name, provider }) => ({ name, provider })),
      { name: BUILT_IN_MODEL, provider: 'docent' },
    ]
    return all.map((model) => ({ ...model, default: model.name === this.defaultName }))
  }

  accepts(name: string): boolean {
    return name === BUILT_IN_MODEL || this.#models.has(name) || WELL_KNOWN.test(name)
  }

  /** The model that was asked for where it is there, otherwise the server's default. */
  choose(asked: string | null): ModelChoice {
    const name = asked ?? this.defaultName
    const used = name === BUILT_IN_MODEL || this.#models.has(name) ? name : this.defaultName
    return { asked: name, used, languageModel: this.#models.get(used) }
  }
}
