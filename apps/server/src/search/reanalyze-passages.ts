import { ANALYSIS, wordsOfPassage } from '@docent/text/passage-words.ts'
import { sql } from 'kysely'
import { type Database, runTogether } from '../database/database.ts'
import { passageIndex } from './index/choose-index.ts'

// Analyzed by the thread that serves requests: so many take some milliseconds.
const BATCH = 16

/** Makes the words of some passages anew that an older analysis made. Returns how many there were. */
export async function analyzeSome(db: Database): Promise<number> {
  const passages = await db
    .selectFrom('passages')
    .select(['id', 'lead', 'text'])
    // Written out, so that it is seen to be what the index is for.
    .where('analysis', '<', sql.lit(ANALYSIS))
    .orderBy('id')
    .limit(BATCH)
    .execute()
  if (passages.length === 0) return 0
  const renewed = passages.map(({ id, lead, text }) => ({ id, words: wordsOfPassage(lead, text) }))
  await runTogether(db, passageIndex(db).rewriteWords(db, renewed))
  return passages.length
}
