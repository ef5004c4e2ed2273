import { fill, type Language, type Words } from '@docent/words/words.ts'
import type { Source } from '../api/records.ts'
import { formatBytes, formatNumber } from '../format.ts'

/** The size in bytes and in tokens, if known. */
export function sizeOf(source: Source, words: Words, language: Language): string[] {
  const { file_size, tokens } = source
  const texts: string[] = []
  if (file_size > 0) texts.push(formatBytes(file_size, language))
  if (tokens === 1) texts.push(words.chat.oneToken)
  if (tokens > 1) {
    texts.push(fill(words.chat.tokens, { count: formatNumber(tokens, language) }))
  }
  return texts
}
