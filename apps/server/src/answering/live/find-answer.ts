import type { Owned } from '../../database/rows/owned.ts'
import type { Message } from '../../features/messages/messages.store.ts'
import { requestStop } from '../../features/messages/running-answers.store.ts'
import type { Services } from '../../services.ts'
import type { LiveAnswer } from './live-answer.ts'
import { storedAnswer } from './stored-answer.ts'

export interface FoundAnswer {
  live: LiveAnswer
  /** Ends following on this connection. */
  leave(): void
}

/** Finds the answer of a message: running on this node, running on another node, or stored. */
export async function findAnswer(
  { live, remote }: Services,
  message: Owned<Message>,
): Promise<FoundAnswer> {
  const running = live.find(message.id)
  if (running) return { live: running, leave() {} }
  if (message.finish_reason !== '' || !remote) return { live: storedAnswer(message), leave() {} }
  const followed = await remote.follow(message.id)
  return { live: followed, leave: () => remote.leave(message.id) }
}

/** Resolves when the answer has stopped. Leaves an ended answer unchanged. */
export async function stopAnswer(services: Services, message: Owned<Message>): Promise<void> {
  const { db, live, remote } = services
  const running = live.find(message.id)
  running?.end('cancelled')
  await running?.finished()
  if (running || message.finish_reason !== '' || !remote) return
  await requestStop(db, message.id)
  const followed = await findAnswer(services, message)
  await followed.live.finished()
  followed.leave()
}
