import { FairQueue } from '../sharing/fair-queue.ts'

// The searching thread has the next one at hand when it is done, and another owner's waits for two at most.
const AT_ONCE_ON_SQLITE = 2

/** Of owners at searching: on SQLite at the thread that searches, on PostgreSQL at the connections for it. */
export function openSearchQueue(config: {
  databaseUrl: string | undefined
  databaseConnections: number
}): FairQueue {
  const { databaseUrl, databaseConnections } = config
  const atOnce = databaseUrl === undefined ? AT_ONCE_ON_SQLITE : Math.ceil(databaseConnections / 3)
  return new FairQueue({ atOnce: Math.max(AT_ONCE_ON_SQLITE, atOnce) })
}
