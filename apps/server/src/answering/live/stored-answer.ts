import { isErrorCode } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../../errors.ts'
import type { Message } from '../../features/messages/messages.store.ts'
import { LiveAnswer } from './live-answer.ts'

/** Presents an ended answer like a running one, so that it can be followed. */
export function storedAnswer(message: Message): LiveAnswer {
  const answer = new LiveAnswer(message.id)
  answer.grow(message.response)
  answer.finish(message.finish_reason || 'interrupted')
  return answer
}

/** Same as `storedAnswer`, for the caller that asked: a failed answer fails again. */
export function answerAgain(message: Message): LiveAnswer {
  const answer = storedAnswer(message)
  answer.failure = storedFailure({ ...message, finish_reason: answer.finishReason ?? '' })
  return answer
}

/** The failure's code and parameters, stored in the message's meta beside the sentence. */
export function failureMeta({ code, params }: AppError) {
  return { error_code: code, error_params: params ?? {} }
}

/** Restores the failure of an answer. Earlier versions stored only the sentence. */
export function storedFailure({
  finish_reason,
  error_message,
  meta,
}: {
  finish_reason: string
  error_message: string
  meta: string | null
}): AppError | undefined {
  if (finish_reason !== 'error' && finish_reason !== 'interrupted') return undefined
  const { error_code, error_params } = JSON.parse(meta ?? '{}')
  const general = finish_reason === 'error' ? 'model_failed' : 'unavailable'
  const code = isErrorCode(error_code) ? error_code : general
  return new AppError(code, error_message || 'The answer was interrupted.', {
    params: error_params,
  })
}
