import type { ModelLimits } from './model-limits.ts'

/** Answers by quoting the sources. Needs no key and no network. */
export const BUILT_IN_MODEL = 'docent-quote'

export interface ModelRequest {
  system: string
  /** Oldest first. */
  history?: PastTurn[]
  prompt: string
  temperature: number
}

export interface PastTurn {
  question: string
  answer: string
}

export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'finish'; reason: 'stop' | 'length' | 'content_filter'; tokens: TokenUsage }

export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

/** The built-in engine uses no tokens. */
export const NO_TOKENS: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** A provider's model. It throws on failure. Aborting the signal closes the connection to the provider. */
export interface LanguageModel {
  name: string
  provider: string
  limits?: ModelLimits
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>
}

export interface NamedModel {
  used: string
  /** Undefined means that the built-in engine answers. */
  languageModel: LanguageModel | undefined
}

export interface ModelChoice extends NamedModel {
  asked: string
  /** Asked in this order if the previous model failed before any text. */
  fallbacks?: NamedModel[]
}

/** Names that belong to a provider although it does not list them. */
export interface ModelFamily {
  pattern: RegExp
  model(name: string): LanguageModel
}

// Names that clients of the published service send. They select that model if a provider for it is configured.
const WELL_KNOWN = /^(gpt-|o\d|claude-|gemini-)[\w.:-]*$/
// Some of these names end with a context size, which no provider understands.
const CONTEXT_SUFFIX = /-\d+k$/

export class ModelCatalog {
  readonly defaultName: string
  readonly #models: ReadonlyMap<string, LanguageModel>
  readonly #families: ModelFamily[]
  readonly #fallbacks: string[]

  constructor(
    defaultName: string,
    models: LanguageModel[] = [],
    { families = [], fallbacks = [] }: { families?: ModelFamily[]; fallbacks?: string[] } = {},
  ) {
    this.defaultName = defaultName
    this.#models = new Map(models.map((model) => [model.name, model]))
    this.#families = families
    this.#fallbacks = fallbacks
  }

  list(): { name: string; provider: string; default: boolean }[] {
    const all = [...this.#models.values()].map(({ name, provider }) => ({ name, provider }))
    // A provider need not list a default model of a known family.
    const unlisted = this.#models.has(this.defaultName) ? undefined : this.#find(this.defaultName)
    if (unlisted) all.push({ name: unlisted.name, provider: unlisted.provider })
    all.push({ name: BUILT_IN_MODEL, provider: 'docent' })
    return all.map((model) => ({ ...model, default: model.name === this.defaultName }))
  }

  accepts(name: string): boolean {
    return name === BUILT_IN_MODEL || this.#models.has(name) || WELL_KNOWN.test(name)
  }

  /** Returns the requested model if it exists, otherwise the server's default, with the fallbacks. */
  choose(asked: string | null): ModelChoice {
    const name = asked ?? this.defaultName
    const chosen = this.#named(name) ?? this.#named(this.defaultName)!
    const fallbacks = this.#fallbacks.flatMap((fallback) => this.#named(fallback) ?? [])
    return {
      asked: name,
      ...chosen,
      fallbacks: chosen.languageModel ? fallbacks.filter(({ used }) => used !== chosen.used) : [],
    }
  }

  #named(name: string): NamedModel | undefined {
    if (name === BUILT_IN_MODEL) return { used: BUILT_IN_MODEL, languageModel: undefined }
    const languageModel = this.#find(name)
    return languageModel && { used: languageModel.name, languageModel }
  }

  #find(name: string): LanguageModel | undefined {
    const listed = this.#models.get(name)
    if (listed) return listed
    const bare = name.replace(CONTEXT_SUFFIX, '')
    const known = this.#models.get(bare)
    if (known) return known
    return this.#families.find(({ pattern }) => pattern.test(bare))?.model(bare)
  }
}
