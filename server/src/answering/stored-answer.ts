import { AppError } from '../errors.ts'
import type { Message } from '../store/messages.ts'
import { LiveAnswer } from './live-answer.ts'

/** An answer that has ended, to be followed like one that runs. */
export function storedAnswer(message: Message): LiveAnswer {
  const answer = new LiveAnswer(message.id)
  answer.grow(message.response)
  answer.finish(message.finish_reason || 'interrupted')
  return answer
}

/** The same, for whoever asked: one that failed fails again. */
export function answerAgain(message: Message): LiveAnswer {
  const answer = storedAnswer(message)
  const { finishReason } = answer
  if (finishReason === 'error' || finishReason === 'interrupted') {
    const code = finishReason === 'error' ? 'model_failed' : 'unavailable'
    answer.failure = new AppError(code, message.error_message || 'The answer broke off.')
  }
  return answer
}
