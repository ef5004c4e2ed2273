import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Source } from '../features/sources/sources.store.ts'
import { IS_SHOWN } from './index/candidates.ts'
import type { PassageList } from './index/passage-index.ts'

const BATCH = 500

/**
 * Returns whether a source, or a page of a site, already has these exact passages: same text, same cuts, same leads.
 * Then nothing needs embedding. Outdated words and vectors are renewed elsewhere.
 */
export async function isInPlace(
  db: Database,
  { id }: Source,
  pageUrl: string,
  { hash, passages }: { hash: string; passages: PassageList },
): Promise<boolean> {
  const builds = await db
    .selectFrom('passages')
    .select((eb) => ['build', eb.fn.countAll<number>().as('count')])
    .where('source_id', '=', id)
    .where('page_url', '=', pageUrl)
    .where('revision', '=', hash)
    .where(sql<boolean>`${IS_SHOWN}`)
    .groupBy('build')
    .execute()
  const [shown] = builds
  if (!shown || builds.length > 1 || Number(shown.count) !== passages.length) return false
  for (let from = 0; from < passages.length; from += BATCH) {
    const stored = await db
      .selectFrom('passages')
      .select(['starts_at', 'ends_at', 'lead', 'page'])
      .where('source_id', '=', id)
      .where('page_url', '=', pageUrl)
      .where('build', '=', shown.build)
      .where('position', '>=', from)
      .where('position', '<', from + BATCH)
      .orderBy('position')
      .execute()
    const isSame = passages.slice(from, from + BATCH).every((passage, i) => {
      const { starts_at, ends_at, lead, page } = stored[i] ?? {}
      return (
        passage.start === starts_at &&
        passage.end === ends_at &&
        passage.lead === lead &&
        (passage.page ?? null) === page
      )
    })
    if (!isSame) return false
  }
  return true
}
