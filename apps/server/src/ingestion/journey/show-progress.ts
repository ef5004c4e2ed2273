import type { ReadingProgress } from '@docent/extract/reading-host.ts'
import type { Database } from '../../database/database.ts'
import { metaOf, progressOf, type Source } from '../../features/sources/sources.store.ts'
import { updateClaimed } from '../../jobs/claim-source.ts'

const EVERY_MS = 1_000

/** Keeps `meta_json` up to date while the pages of a document are read, without a write for each of them. */
export function pageProgress(db: Database, source: Source): (progress: ReadingProgress) => void {
  let shownAt = performance.now()
  return ({ done, found }) => {
    if (performance.now() - shownAt < EVERY_MS) return
    shownAt = performance.now()
    const meta = JSON.stringify({ ...metaOf(source), ...progressOf('pages', done, found) })
    // It is only shown: the work does not depend on it.
    void updateClaimed(db, source, { meta }).catch(() => {})
  }
}
