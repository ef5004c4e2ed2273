import { isErrorCode } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../../errors.ts'
import type { Message } from '../../features/messages/messages.store.ts'
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
  answer.failure = storedFailure({ ...message, finish_reason: answer.finishReason ?? '' })
  return answer
}

/** What the meta of a message says of its failure, beside the sentence. */
export function failureMeta({ code, params }: AppError) {
  return { error_code: code, error_params: params ?? {} }
}

/** Why an answer failed, as it was told when it did. Earlier versions stored the sentence alone. */
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
  return new AppError(code, error_message || 'The answer broke off.', { params: error_params })
}
