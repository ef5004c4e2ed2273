import type { CompiledQuery } from 'kysely'
import type { Analytics } from '../src/database/analytics.ts'
import type { Database } from '../src/database/database.ts'

/** Calls `before` before each query that the server sends for analytics from now on. */
export function watchAnalytics(
  analytics: Analytics,
  before: (query: CompiledQuery) => void | Promise<void>,
): void {
  const run = analytics.run.bind(analytics)
  const inParts = analytics.inParts.bind(analytics)
  const watch = (db: Database) => {
    const executor = db.getExecutor()
    const executeQuery = executor.executeQuery.bind(executor)
    executor.executeQuery = async (query) => {
      await before(query)
      return executeQuery(query)
    }
    return db
  }
  analytics.run = (owner, signal, work) => run(owner, signal, (db) => work(watch(db)))
  analytics.inParts = (...request) => watch(inParts(...request))
}
