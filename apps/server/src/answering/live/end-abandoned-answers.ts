import { setTimeout as sleep } from 'node:timers/promises'
import {
  interruptAbandoned,
  interruptAnswer,
  listAnswersOf,
  listStopRequests,
} from '../../features/messages/running-answers.store.ts'
import type { Services } from '../../services.ts'

const LOOK_FOR_STOPS_MS = 200
const LOOK_AROUND_MS = 1_000
const ORPHAN_MS = 10_000

/**
 * Runs with several nodes. Ends three kinds of answers: those of nodes that are gone, own answers that a user wants to
 * stop, and messages of this node without a running answer.
 */
export async function endAbandonedAnswers(
  services: Services,
  stopping: AbortSignal,
): Promise<void> {
  const { db, node, live, log } = services
  const orphans = new Orphans(services)
  let lookedAt = Number.NEGATIVE_INFINITY
  while (node && (!stopping.aborted || live.size > 0)) {
    try {
      if (live.size > 0)
        for (const id of await listStopRequests(db, node.id)) live.find(id)?.end('cancelled')
      if (performance.now() - lookedAt > LOOK_AROUND_MS) {
        lookedAt = performance.now()
        await orphans.end(node.id)
        const ended = node.canDetectDeadNodes ? await interruptAbandoned(db) : 0
        if (ended > 0) log.warn({ answers: ended }, 'ended the answers of a dead node')
      }
    } catch (error) {
      log.error({ err: error }, 'answers of dead nodes could not be ended')
    }
    await sleep(LOOK_FOR_STOPS_MS)
  }
}

/**
 * If the connection is lost while a question is stored, the client gets an error and no answer starts. The message may
 * still exist, and it would wait forever.
 */
class Orphans {
  readonly #services: Services
  /** When each message was first seen without an answer. Its answer may be about to start. */
  #seen = new Map<string, number>()

  constructor(services: Services) {
    this.#services = services
  }

  async end(nodeId: string): Promise<void> {
    const { db, live } = this.#services
    const before = this.#seen
    this.#seen = new Map()
    const now = performance.now()
    for (const id of await listAnswersOf(db, nodeId)) {
      const since = before.get(id) ?? now
      if (live.find(id)) continue
      if (now - since > ORPHAN_MS) await interruptAnswer(db, id, nodeId)
      else this.#seen.set(id, since)
    }
  }
}
