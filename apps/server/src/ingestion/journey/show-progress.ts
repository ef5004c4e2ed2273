import type { ReadingProgress } from '@docent/extract/reading-host.ts'
import type { Database } from '../../database/database.ts'
import { metaOf, progressOf, type Source } from '../../features/sources/sources.store.ts'
import { updateClaimed } from '../../jobs/claim-source.ts'

const EVERY_MS = 1_000

/** Updates `meta_json` while the pages of a document are read, but not with a write for each page. */
export function pageProgress(db: Database, source: Source): (progress: ReadingProgress) => void {
  let shownAt = performance.now()
  return ({ done, found }) => {
    if (performance.now() - shownAt < EVERY_MS) return
    shownAt = performance.now()
    const meta = JSON.stringify({ ...metaOf(source), ...progressOf('pages', done, found) })
    // Progress is only displayed, so a failed write does no harm.
    void updateClaimed(db, source, { meta }).catch(() => {})
  }
}
