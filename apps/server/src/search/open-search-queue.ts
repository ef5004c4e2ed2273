import { FairQueue } from '../sharing/fair-queue.ts'

// The search thread always has the next search ready, and a search of another owner waits for two at most.
const AT_ONCE_ON_SQLITE = 2

/** Owners take turns: SQLite has one search thread, PostgreSQL has connections for searching. */
export function openSearchQueue(config: {
  databaseUrl: string | undefined
  databaseConnections: number
}): FairQueue {
  const { databaseUrl, databaseConnections } = config
  const atOnce = databaseUrl === undefined ? AT_ONCE_ON_SQLITE : Math.ceil(databaseConnections / 3)
  return new FairQueue({ atOnce: Math.max(AT_ONCE_ON_SQLITE, atOnce) })
}
