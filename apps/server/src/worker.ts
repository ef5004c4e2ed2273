import { setTimeout as sleep } from 'node:timers/promises'
import { failureFields } from '@docent/extract/failure-in-english.ts'
import { endAbandonedAnswers } from './answering/live/end-abandoned-answers.ts'
import { connectForMigration } from './database/postgres/connect-postgres.ts'
import { forgetOldSignIns } from './features/accounts/sign-ins.store.ts'
import { eraseHiddenChatbots, hasHiddenChatbots } from './features/chatbots/erase-chatbots.store.ts'
import { forgetOldRateHits } from './features/rate-limits/rate-limits.store.ts'
import { forgetOldCounts } from './features/rate-limits/request-counts.store.ts'
import { LOOK_AGAIN_MS, OldRevisions } from './features/sources/old-revisions.store.ts'
import type { Source } from './features/sources/sources.store.ts'
import { deliverEvents } from './features/webhooks/deliver-events.ts'
import { releaseDeliveries } from './features/webhooks/webhook-deliveries.store.ts'
import { forgetOldDeliveries } from './features/webhooks/webhooks.store.ts'
import { ingestSource } from './ingestion/journey/ingest-source.ts'
import {
  extendLease,
  giveUpForGood,
  isClaimed,
  LEASE_MS,
  MAX_ATTEMPTS,
  releaseAllLeases,
} from './jobs/claim-source.ts'
import { putBackDueTimes } from './jobs/due-times.ts'
import type { Share } from './jobs/next-source.ts'
import { claimDuty, forgetGoneNodes, runExclusively } from './jobs/node.ts'
import { SourceTurns } from './jobs/source-turns.ts'
import { forgetHidden } from './search/hidden-builds.ts'
import { updateVectorIndexes } from './search/index/vector-indexes.ts'
import { analyzeSome } from './search/reanalyze-passages.ts'
import type { Services } from './services.ts'

const CONCURRENCY = 4
const POLL_MS = 1_000
// Notice a deleted document soon: the rest of its work may cost money.
const NOTICE_LOSS_MS = 500
const HOUSEKEEPING_MS = 3_600_000
const SAY_PROGRESS_MS = 10_000
const REFILL_RETRY_MS = 10_000
// Smaller steps are normal clock corrections.
const PUT_BACK_MS = 5_000

/** Repeats a job with pauses until the server stops. A failure is logged, and the next turn tries again. */
async function repeat(
  { log, stopping }: Pick<Services, 'log' | 'stopping'>,
  pauseMs: number,
  failure: string,
  job: () => Promise<unknown>,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await job()
    } catch (error) {
      if (!stopping.aborted) log.error({ err: error }, failure)
    }
    await sleep(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}

/** All background jobs on one screen. */
export async function work(services: Services, stopping: AbortSignal): Promise<void> {
  // Another node releases its own claims, or they end with its lease.
  if (!services.node) {
    await releaseAllLeases(services.db)
    await releaseDeliveries(services.db)
  }
  // A site can take hours. Reserved workers keep it from delaying files and other owners.
  const shares = [...Array<undefined>(CONCURRENCY).fill(undefined), 'given', 'newcomers'] as const
  const turns = new SourceTurns(CONCURRENCY)
  const takers = shares.map((only) => takeSources(services, turns, stopping, only))
  const jobs = [
    refillIndex,
    renewWords,
    deliverEvents,
    endAbandonedAnswers,
    tendIndexes,
    followClock,
    eraseDeleted,
    keepHouse,
    forgetOldTexts,
  ]
  const others = jobs.map((job) => job(services, stopping))
  await Promise.all([...takers, ...others])
}

async function takeSources(
  services: Services,
  turns: SourceTurns,
  stopping: AbortSignal,
  only?: Share,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const source = await turns.take(services.db, only)
      if (source) await holdAndIngest(services, source).finally(() => turns.done(source, only))
      else await services.sourceWakeSignal.wait(POLL_MS, stopping)
    } catch (error) {
      services.log.error({ err: error }, 'worker failed')
      await sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

async function holdAndIngest(services: Services, source: Source): Promise<void> {
  // A source that crashes its worker never reaches the error handler, so the attempts are checked here.
  if (source.attempts > MAX_ATTEMPTS) {
    const failure = { code: 'never_ended', params: { attempts: MAX_ATTEMPTS } } as const
    await giveUpForGood(services.db, source, failureFields(failure))
    return
  }
  const { db } = services
  const lost = new AbortController()
  const noticeLoss = async () => {
    if (!(await isClaimed(db, source))) lost.abort()
  }
  const timers = [
    setInterval(() => void extendLease(db, source).catch(() => {}), LEASE_MS / 3),
    setInterval(() => void noticeLoss().catch(() => {}), NOTICE_LOSS_MS),
  ]
  try {
    await ingestSource(services, source, lost.signal)
  } finally {
    for (const timer of timers) clearInterval(timer)
  }
}

/** After a change of embedder, makes the new vectors while the old ones keep serving. */
async function refillIndex(services: Services, stopping: AbortSignal): Promise<void> {
  const { embeddings, log, db, node } = services
  let lastSaid = Number.NEGATIVE_INFINITY
  while ((embeddings.isRefilling || node) && !stopping.aborted) {
    try {
      if (!embeddings.isRefilling) {
        // Nodes with other settings may leave passages without a vector.
        await sleep(HOUSEKEEPING_MS, undefined, { signal: stopping, ref: false })
        await embeddings.look()
        continue
      }
      if (!(await claimDuty(db, node, 'refill the index'))) {
        await embeddings.look()
        await sleep(POLL_MS, undefined, { signal: stopping })
        continue
      }
      await embeddings.refillSome(stopping)
      if (performance.now() - lastSaid < SAY_PROGRESS_MS && embeddings.isRefilling) continue
      lastSaid = performance.now()
      log.info(await embeddings.progress(), 'embedding all passages again')
    } catch (error) {
      if (stopping.aborted) return
      log.error({ err: error }, 'embedding failed, trying again')
      await sleep(REFILL_RETRY_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

/** After an update that changes the text analysis, analyzes all passages again while the old words keep serving. */
async function renewWords({ db, node, log }: Services, stopping: AbortSignal): Promise<void> {
  let renewed = 0
  while (!stopping.aborted) {
    try {
      const some = (await claimDuty(db, node, 'renew words')) ? await analyzeSome(db) : 0
      renewed += some
      if (some > 0) continue
      if (renewed > 0) log.info({ passages: renewed }, 'passages were analyzed again')
      if (!node) return
      renewed = 0
      // A node of an older version may have left passages unanalyzed.
      await sleep(HOUSEKEEPING_MS, undefined, { signal: stopping, ref: false })
    } catch (error) {
      if (stopping.aborted) return
      log.error({ err: error }, 'analyzing failed, trying again')
      await sleep(REFILL_RETRY_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

/** On PostgreSQL, one node builds vector indexes for chatbots with many passages. */
async function tendIndexes(services: Services, stopping: AbortSignal): Promise<void> {
  const { config, db, node, embeddings, log } = services
  if (!node) return
  const repeated = { log, stopping }
  await repeat(repeated, HOUSEKEEPING_MS / 6, 'indexes could not be tended', async () => {
    // Building an index takes longer than the statement timeout.
    const patient = connectForMigration(config.databaseUrl!, stopping)
    try {
      await runExclusively(db, node, 'tend the indexes', async () => {
        const { made, removed } = await updateVectorIndexes(patient, embeddings.registered)
        if (made.length + removed.length > 0) log.info({ made, removed }, 'indexes')
      })
    } finally {
      await patient.destroy()
    }
  })
}

/**
 * Scheduled times use the wall clock. If the clock is set back, the times move back with it. Otherwise all jobs would
 * wait until the clock catches up. Nodes use their database's clock.
 */
async function followClock({ db, log, node }: Services, stopping: AbortSignal): Promise<void> {
  if (node) return
  let offset = Date.now() - performance.now()
  const failure = 'times of waiting work could not be corrected'
  await repeat({ log, stopping }, POLL_MS, failure, async () => {
    const now = Date.now() - performance.now()
    const backMs = offset - now
    if (backMs > PUT_BACK_MS) {
      await putBackDueTimes(db, Math.round(backMs))
      log.warn({ seconds: Math.round(backMs / 1000) }, 'the clock was set back')
    }
    offset = now
  })
}

/** Erases deleted chatbots. One node at a time does this. */
async function eraseDeleted({ db, node, log }: Services, stopping: AbortSignal): Promise<void> {
  await repeat({ log, stopping }, POLL_MS, 'deleted chatbots could not be erased', async () => {
    if (!(await hasHiddenChatbots(db))) return
    await runExclusively(db, node, 'erase chatbots', async () => {
      const chatbots = await eraseHiddenChatbots(db, stopping)
      if (chatbots > 0) log.info({ chatbots }, 'deleted chatbots were erased')
    })
  })
}

async function keepHouse({ db, log, node }: Services, stopping: AbortSignal): Promise<void> {
  await repeat({ log, stopping }, HOUSEKEEPING_MS, 'housekeeping failed', () =>
    Promise.all([
      ...(node ? [forgetGoneNodes(db), forgetOldCounts(db)] : []),
      forgetOldRateHits(db),
      forgetOldDeliveries(db),
      forgetHidden(db),
      forgetOldSignIns(db),
    ]),
  )
}

/** Deletes old page texts that no answer cites. One node at a time does this. */
export async function forgetOldTexts(
  services: Services,
  stopping: AbortSignal,
  pauseMs = LOOK_AGAIN_MS,
): Promise<void> {
  const { db, node, log } = services
  const revisions = new OldRevisions(services)
  await repeat({ log, stopping }, pauseMs, 'old texts of sources could not be deleted', () =>
    runExclusively(db, node, 'forget old texts', async () => {
      const texts = await revisions.look(stopping)
      if (texts > 0) log.info({ texts }, 'old texts of sources were deleted')
    }),
  )
}
