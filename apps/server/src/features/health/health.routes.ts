import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { storageFailure } from '../../database/storage-fault.ts'
import { AppError } from '../../errors.ts'
import { allowOwnOrigin } from '../../http/guards/cors.ts'
import { countDue } from '../../jobs/claim-source.ts'
import { METRICS_TYPE } from '../../metrics.ts'
import type { Services } from '../../services.ts'
import { tryWriting } from './try-writing.ts'
import { WriteProbe } from './write-probe.ts'

// Readiness probes need a quick response.
const PATIENCE_MS = 5_000

/** Reads and writes use separate connections, so each probe tries both. Changes nothing. */
async function askBoth(db: Database): Promise<void> {
  await sql`SELECT count(*) FROM users`.execute(db)
  await sql`DELETE FROM users WHERE false`.execute(db)
}

async function tooLate(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false })
  throw new Error('The process did not respond in time')
}

/** Serves supervisors and load balancers. Responses reveal no user data, so no token is needed. */
export function healthRoutes({
  db,
  searchDb,
  live,
  places,
  searches,
  inference,
  metrics,
  stopping,
  uploads,
  config,
}: Services): FastifyPluginAsync {
  const probe = new WriteProbe(() => tryWriting(db, config.dataDir))
  metrics.watch('docent_streams', () => live.size)
  metrics.watch('docent_waiting_answers', () => places.taken)
  metrics.watch('docent_waiting_model_answers', () => places.model.taken)
  metrics.watch('docent_waiting_built_in_answers', () => places.builtIn.taken)
  metrics.watch('docent_waiting_searches', () => searches.waiting)
  metrics.watch('docent_waiting_inference_tasks', () => inference.waiting)
  metrics.watch('docent_queue_depth', () => countDue(searchDb))
  metrics.watch('docent_uploads', () => uploads.places.taken)
  metrics.watch('docent_waiting_uploads', () => uploads.places.waiting)
  metrics.watch('docent_resident_memory_bytes', () => process.memoryUsage.rss())

  return async (app) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async () => {
      if (stopping.aborted) throw new AppError('unavailable', 'The server is stopping.')
      try {
        await Promise.race([Promise.all([askBoth(db), probe.check()]), tooLate(PATIENCE_MS)])
      } catch (cause) {
        throw (
          storageFailure(cause) ??
          new AppError('unavailable', 'The database cannot be reached.', { cause })
        )
      }
      return { status: 'ready' }
    })

    app.get(
      '/metrics',
      { schema: { hide: true }, onRequest: allowOwnOrigin },
      async (_request, reply) => reply.type(METRICS_TYPE).send(await metrics.describe()),
    )
  }
}
