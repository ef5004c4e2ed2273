import { ApiError } from '@docent/client/http/errors.ts'
import { isAway } from '@docent/client/http/send-request.ts'
import { type ChatWords, fill, type Language } from '@docent/words/words.ts'
import { ConversationGone } from './chat/chat-api.ts'
import type { Speech } from './chat/words-context.tsx'

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** Explains a failure in the visitor's language. Empty if the server was not reached, which the chat explains. */
export function explainFailure(error: unknown, { language, words }: Speech): string {
  const { reasons, chat } = words
  if (error instanceof ConversationGone) return reasons.conversationGone
  if (!(error instanceof ApiError) || isAway(error)) return ''
  const { code, params, message, messageUuid, retryAfterMs } = error
  const again =
    retryAfterMs === undefined
      ? reasons.tryAgainLater
      : fill(reasons.tryAgainWhen, { when: inWords(retryAfterMs, language) })
  switch (code) {
    case 'rate_limited':
      // The owner wrote this message for visitors.
      return params.wording === 'own' ? message : `${reasons.tooManyMessages} ${again}`
    case 'token_budget_spent':
      return `${reasons.budgetSpent} ${again}`
    case 'session_full':
      return reasons.conversationFull
    case 'model_failed':
      return sayFailed(words)
    case 'unavailable':
      return messageUuid === undefined ? reasons.unavailable : chat.interrupted
    case 'token_budget_reserved':
    case 'disk_full':
    case 'storage_failed':
    case 'quota_reached':
    case 'timeout':
      return reasons.unavailable
    case 'too_large':
    case 'prompt_too_long':
      return reasons.tooLarge
    case 'not_found':
    case 'forbidden':
      return chat.notHere
    default:
      return `${reasons.wentWrong} ${again}`
  }
}

export function sayFailed({ reasons }: ChatWords): string {
  return `${reasons.answerFailed} ${reasons.tryAgainLater}`
}

/** Formats as “in 3 minutes”. Rounds up, so that the wait is never understated. */
function inWords(waitMs: number, language: Language): string {
  const [unit, ms] = STEPS.find((step) => waitMs >= step[1]) ?? STEPS.at(-1)!
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(waitMs / ms), unit)
}
