import { FairQueue } from './fair-queue.ts'

const LISTS_AT_ONCE = 24
const LISTS_OF_AN_OWNER = 2
const WAITING_LISTS_OF_AN_OWNER = 10

/** Queues for long lists. */
export class ListQueues {
  /** A client that reads less than a slice of a list in this time loses its place. */
  slicePatienceMs = 30_000

  /** For lists of more than one page. Each holds at most one page in memory, so this bounds their total memory. */
  readonly complete = new FairQueue({
    atOnce: LISTS_AT_ONCE,
    atOncePerOwner: LISTS_OF_AN_OWNER,
    waiting: {
      most: WAITING_LISTS_OF_AN_OWNER,
      limit: 'complete_lists',
      code: 'too_many_lists',
      refusal:
        'Too many long lists are being read at once. Wait for one to end, or request pages with "limit".',
    },
  })

  /** The main thread reads and serializes one page at a time, so that other requests run in between. */
  readonly pages = new FairQueue({ atOnce: 1 })
}
