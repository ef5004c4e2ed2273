import type { Database } from '../database/database.ts'
import { analyzeQuestion } from './analyze-text.ts'
import { type FoundPassage, findByWords } from './sqlite-index.ts'

export type { FoundPassage }

const CANDIDATES = 20
// Beyond this, more words of a pasted text find nothing better and only cost time.
const MAX_TERMS = 64

/** The passages that may hold the answer, best first; identical ones once. */
export async function findPassages(
  searchDb: Database,
  chatbotId: string,
  question: string,
): Promise<FoundPassage[]> {
  const terms = analyzeQuestion(question).slice(0, MAX_TERMS)
  const found = await findByWords(searchDb, chatbotId, terms, CANDIDATES)
  const seen = new Set<string>()
  return found.filter(({ text }) => !seen.has(text) && seen.add(text))
}
