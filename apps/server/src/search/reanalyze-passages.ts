import { ANALYSIS, wordsOfPassage } from '@docent/text/passage-words.ts'
import { sql } from 'kysely'
import { type Database, runTogether } from '../database/database.ts'
import { passageIndex } from './index/choose-index.ts'

// The analysis runs on the thread that serves requests, and a batch takes a few milliseconds.
const BATCH = 16

/** Analyzes one batch of passages again that have words from an older analysis. Returns the size of the batch. */
export async function analyzeSome(db: Database): Promise<number> {
  const passages = await db
    .selectFrom('passages')
    .select(['id', 'lead', 'text'])
    // A literal, so that the planner recognizes the index made for it.
    .where('analysis', '<', sql.lit(ANALYSIS))
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (passages.length === 0) return 0
  const renewed = passages.map(({ id, lead, text }) => ({ id, words: wordsOfPassage(lead, text) }))
  await runTogether(db, passageIndex(db).rewriteWords(db, renewed))
  return passages.length
}
