import { ApiError } from '../../client/src/errors.ts'
import { isAway } from '../../client/src/send-request.ts'
import { type ChatWords, fill, type Language } from '../../languages/words.ts'
import { ConversationGone } from './chat/chat-api.ts'
import type { Speech } from './chat/words-context.tsx'

// All are limits by their code. What is none of the server's own sentences is what the owner wrote for his visitors.
const BUDGET_SPENT = /^This chatbot has used up its tokens\b/
const BUDGET_RESERVED = /^All tokens left for this month are reserved\b/
const SERVERS_OWN = /^(?:Too many (?:messages$|requests |tries\b).*|\s*)$/

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** Why something failed, in the visitor's language. Empty when the server was not reached, for which the chat has words. */
export function explainFailure(error: unknown, { language, words }: Speech): string {
  const { reasons, chat } = words
  if (error instanceof ConversationGone) return reasons.conversationGone
  if (!(error instanceof ApiError) || isAway(error)) return ''
  const { code, message, messageUuid, retryAfterMs } = error
  const again =
    retryAfterMs === undefined
      ? reasons.tryAgainLater
      : fill(reasons.tryAgainWhen, { when: inWords(retryAfterMs, language) })
  switch (code) {
    case 'rate_limited':
      if (BUDGET_SPENT.test(message)) return `${reasons.budgetSpent} ${again}`
      if (BUDGET_RESERVED.test(message)) return reasons.unavailable
      return SERVERS_OWN.test(message) ? `${reasons.tooManyMessages} ${again}` : message
    case 'session_full':
      return reasons.conversationFull
    case 'model_failed':
      return sayFailed(words)
    case 'unavailable':
      return messageUuid === undefined ? reasons.unavailable : chat.interrupted
    case 'quota_reached':
    case 'timeout':
      return reasons.unavailable
    case 'too_large':
      return reasons.tooLarge
    case 'not_found':
    case 'forbidden':
      return chat.notHere
    default:
      return `${reasons.wentWrong} ${again}`
  }
}

/** Of an answer that failed, now or before. */
export function sayFailed({ reasons }: ChatWords): string {
  return `${reasons.answerFailed} ${reasons.tryAgainLater}`
}

/** “in 3 minutes”: never sooner than it is true. */
function inWords(waitMs: number, language: Language): string {
  const [unit, ms] = STEPS.find((step) => waitMs >= step[1]) ?? STEPS.at(-1)!
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(waitMs / ms), unit)
}
