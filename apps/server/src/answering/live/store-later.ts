import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { storageFaultOf } from '../../database/storage-fault.ts'
import { finishMessage, type Outcome } from '../../features/messages/messages.store.ts'

const PAUSE_MS = 5_000

/**
 * Retries storing the end of an answer after a failure such as a full disk. Without its end, the message would look
 * running until the next start. Other errors may come from the token count, so the retry leaves it out.
 */
export async function storeLater(
  { db, log, stopping }: { db: Database; log: FastifyBaseLogger; stopping: AbortSignal },
  messageId: string,
  outcome: Outcome,
): Promise<void> {
  let end = outcome
  for (;;) {
    await sleep(PAUSE_MS, undefined, { signal: stopping, ref: false }).catch(() => {})
    if (stopping.aborted) return
    try {
      await finishMessage(db, messageId, end)
      return
    } catch (error) {
      const fault = storageFaultOf(error)
      if (fault !== undefined && fault !== 'damaged') continue
      log.error({ err: error, message: messageId }, 'end of an answer could not be stored')
      if (end.spent === undefined) return
      const { spent: _, ...withoutCount } = end
      end = withoutCount
    }
  }
}
