import { FairQueue } from './fair-queue.ts'

const LISTS_AT_ONCE = 24
const LISTS_OF_AN_OWNER = 2
const WAITING_LISTS_OF_AN_OWNER = 10

/** Where long lists wait for their turn. */
export class ListQueues {
  /** A reader who takes less than a slice of a list in this time gives its place up. */
  slicePatienceMs = 30_000

  /** Lists of more than one page. Each holds at most one page in memory, so this bounds what all of them hold. */
  readonly complete = new FairQueue({
    atOnce: LISTS_AT_ONCE,
    atOncePerOwner: LISTS_OF_AN_OWNER,
    waiting: {
      most: WAITING_LISTS_OF_AN_OWNER,
      limit: 'complete_lists',
      code: 'too_many_lists',
      refusal:
        'Too many long lists are being read at once. Wait for one to end, or ask for pages with "limit".',
    },
  })

  /** Pages are read and serialized on the main thread, one at a time, so that other requests run in between. */
  readonly pages = new FairQueue({ atOnce: 1 })
}
