import { setTimeout as sleep } from 'node:timers/promises'
import { ingestSource } from './ingestion/ingest-source.ts'
import {
  claimSource,
  extendLease,
  giveUp,
  LEASE_MS,
  MAX_ATTEMPTS,
  releaseAllLeases,
} from './jobs/claim-source.ts'
import type { Services } from './services.ts'
import { forgetOldRateHits } from './store/messages.ts'
import { forgetOldSignIns } from './store/sign-ins.ts'
import { metaOf, type Source } from './store/sources.ts'

const CONCURRENCY = 4
const POLL_MS = 1_000
const HOUSEKEEPING_MS = 3_600_000

/** Everything that happens without being asked for, in one screen: sources are taken in, and old counts forgotten. */
export async function work(services: Services, stopping: AbortSignal): Promise<void> {
  await releaseAllLeases(services.db)
  const takers = Array.from({ length: CONCURRENCY }, () => takeSources(services, stopping))
  await Promise.all([...takers, keepHouse(services, stopping)])
}

async function takeSources(services: Services, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const source = await claimSource(services.db)
      if (source) await holdAndIngest(services, source)
      else await services.sourceBell.rung(POLL_MS, stopping)
    } catch (error) {
      services.log.error({ err: error }, 'worker failed')
      await sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

async function holdAndIngest(services: Services, source: Source): Promise<void> {
  // A source that keeps taking its worker down with it never reaches the handler of its failures.
  if (source.attempts > MAX_ATTEMPTS) {
    const error = `It was given up after ${MAX_ATTEMPTS} attempts that never ended.`
    await giveUp(services.db, source, 'fail', { ...metaOf(source), error })
    return
  }
  const heartbeat = setInterval(
    () => void extendLease(services.db, source).catch(() => {}),
    LEASE_MS / 3,
  )
  try {
    await ingestSource(services, source)
  } finally {
    clearInterval(heartbeat)
  }
}

async function keepHouse({ db, log }: Services, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await Promise.all([forgetOldRateHits(db), forgetOldSignIns(db)]).catch((error) =>
      log.error({ err: error }, 'housekeeping failed'),
    )
    await sleep(HOUSEKEEPING_MS, undefined, { signal: stopping, ref: false }).catch(() => {})
  }
}
