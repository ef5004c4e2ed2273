import { setTimeout as sleep } from 'node:timers/promises'
import type { Owned } from '../database/rows/owned.ts'
import { AppError } from '../errors.ts'
import { findKeyedMessage } from '../features/messages/question-keys.store.ts'
import type { Session } from '../features/sessions/sessions.store.ts'
import type { Services } from '../services.ts'
import type { LiveAnswer } from './live/live-answer.ts'
import { answerAgain } from './live/stored-answer.ts'

const START_LOOKS = 100
const START_LOOK_MS = 20

/** Returns the answer to a question with the same key, whether it runs or has ended. */
export async function findAskedBefore(
  { db, live, remote }: Services,
  session: Owned<Session>,
  question: string,
  key: string | undefined,
): Promise<LiveAnswer | undefined> {
  if (key === undefined) return undefined
  // A question is stored a moment before its answer starts. A repeated request may arrive in between.
  for (let look = 0; ; look++) {
    const message = await findKeyedMessage(db, session, key)
    if (!message) return undefined
    if (message.query !== question) {
      throw new AppError(
        'conflict',
        'This Idempotency-Key was used for another question. Use a new key.',
      )
    }
    const running = live.find(message.id)
    if (running) return running
    // Another node may be running this answer.
    if (remote && message.finish_reason === '') return remote.follow(message.id)
    if (message.finish_reason !== '' || look === START_LOOKS) return answerAgain(message)
    await sleep(START_LOOK_MS)
  }
}
