import type { Reading } from '../models/reader/passage-reader.ts'
import type { FoundPassage } from '../search/find-passages.ts'
import type { Services } from '../services.ts'
import { detectLanguage } from './detect-language.ts'

const MAX_READ = 5

/** What the reader makes of the best passages; nothing where it is switched off or can't read the language. */
export async function readPassages(
  { config, inference, log }: Services,
  question: string,
  found: FoundPassage[],
): Promise<Reading[] | undefined> {
  const texts = found.filter(({ type }) => type !== 'qa').slice(0, MAX_READ)
  if (!config.reader || texts.length === 0 || detectLanguage(question) !== 'en') return undefined
  const passages = texts.map(({ text }) => text)
  try {
    return await inference.run({ kind: 'read', question, passages })
  } catch (error) {
    log.warn({ err: error }, 'answering without the reader')
    return undefined
  }
}
