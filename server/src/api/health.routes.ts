import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import { countDue } from '../jobs/claim-source.ts'
import { METRICS_TYPE } from '../metrics.ts'
import type { Services } from '../services.ts'

/** For supervisors and load balancers. Without a token: they tell nothing about anybody's data. */
export function healthRoutes({ db, live, metrics, stopping }: Services): FastifyPluginAsync {
  metrics.watch('docent_streams', 'Answers being given now.', () => live.size)
  metrics.watch(
    'docent_waiting_answers',
    'Questions without a word of answer yet.',
    () => live.waiting,
  )
  metrics.watch('docent_queue_depth', 'Sources waiting or being taken in.', () => countDue(db))
  metrics.watch('docent_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  )

  return async (app) => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async () => {
      if (stopping.aborted) throw new AppError('unavailable', 'The server is stopping.')
      try {
        // Reading and writing have connections of their own; this asks both and changes nothing.
        await sql`SELECT count(*) FROM users`.execute(db)
        await sql`DELETE FROM users WHERE false`.execute(db)
      } catch (cause) {
        throw new AppError('unavailable', 'The database can’t be reached.', { cause })
      }
      return { status: 'ready' }
    })

    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(METRICS_TYPE).send(await metrics.describe()),
    )
  }
}
