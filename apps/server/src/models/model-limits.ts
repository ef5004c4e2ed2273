export interface ModelLimits {
  /** Question, passages, conversation and answer together. */
  contextTokens: number
  maxOutputTokens: number
}

const CONTEXTS: [name: RegExp, tokens: number][] = [
  [/^(gpt-4o|gpt-4-turbo|chatgpt-4o|o\d)/, 128_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^gpt-/, 272_000],
  [/^claude-/, 200_000],
  [/^gemini-/, 1_000_000],
]

// The usual context of small self-hosted models. Too small a value costs history, too large a value costs the answer.
const UNKNOWN_CONTEXT = 8_192
const USUAL_OUTPUT = 8_192

export function limitsOf(name: string, context?: number, output?: number): ModelLimits {
  const known = CONTEXTS.find(([pattern]) => pattern.test(name))?.[1]
  const contextTokens = context ?? known ?? UNKNOWN_CONTEXT
  const most = Math.floor(contextTokens / 4)
  return { contextTokens, maxOutputTokens: Math.min(output ?? USUAL_OUTPUT, most) }
}
