import { sayFailure } from '@docent/words/say-failure.ts'
import type { Language, Words } from '@docent/words/words.ts'

interface Speech {
  words: Words
  language: Language
}

interface StoredFailure {
  error?: string
  error_code?: string
  error_params?: Record<string, unknown>
}

/** Explains a failure in the user's language. Earlier versions stored only the server's message. */
export function failureOf(
  { error = '', error_code: code, error_params: params = {} }: StoredFailure,
  { words, language }: Speech,
): string {
  if (code === undefined) return error
  return sayFailure({ code, params }, { words: words.failures, language }) ?? error
}
