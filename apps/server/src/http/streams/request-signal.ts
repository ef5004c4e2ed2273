import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'

/** Aborted if the caller leaves before the reply is complete. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) leaving.abort(new AppError('unavailable', 'The caller has left.'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return leaving.signal
}
