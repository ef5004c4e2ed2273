import { ApiError } from '../../../client/src/errors.ts'
import { isAway } from '../../../client/src/send-request.ts'
import { fill, type Language, type Words } from '../../../languages/words.ts'
import { formatNumber } from '../format.ts'
import { labelOf } from './field-labels.ts'

interface Speech {
  words: Words
  language: Language
}

type Reason = keyof Words['reasons']

// Refusals whose code says it all. Those of a proxy have no code, and say as much by their status.
const BY_CODE: Record<string, Reason> = {
  unauthorized: 'unauthorized',
  not_found: 'notFound',
  too_large: 'tooLarge',
  unsupported_type: 'unsupportedType',
  internal: 'internal',
  unavailable: 'unavailable',
  too_many_lists: 'rateLimited',
  timeout: 'tooSlow',
  quota_reached: 'quotaReached',
  took_too_long: 'tookTooLong',
}
const BY_STATUS: Record<number, Reason> = {
  408: 'tooSlow',
  413: 'tooLarge',
  429: 'rateLimited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

// What the server says more exactly, and can be said in every language. What is not here is shown in its own words.
const SENTENCES: [said: RegExp, reason: Reason][] = [
  [/^The name or the password is wrong\.$/, 'wrongPassword'],
  [/^The file is larger than (\d+) MB\.$/, 'fileTooLarge'],
  [/It is of an Office before 2007\./, 'oldOffice'],
  [/the disk of the server is full\.$/, 'diskFull'],
  [/^Too many requests (?:from|with) this \w+\.$/, 'rateLimited'],
  [
    /^Too many (?:tries\. Wait a while|reports are being made\. Wait for one of them)\.$/,
    'rateLimited',
  ],
  [/^This token may send \d+ files at the same time\.$/, 'rateLimited'],
  // What else is said to whoever asks too much, the owner wrote.
  [/^Too many messages$/, 'tooManyMessages'],
  [/^This chatbot has used up its tokens for this month\.$/, 'tokensSpent'],
  [/^All tokens left for this month are reserved\b/, 'unavailable'],
  [/instruction are too long for this model\.$/, 'tooLongForModel'],
  [/^The language model failed\.$/, 'modelFailed'],
  [/^The answer could not be stored\.$/, 'internal'],
]
const INTERRUPTED = /^The server stopped while it was answering\.$/
const PROBLEMS: [said: RegExp, reason: Reason][] = [
  [/^(?:is required|must not be empty)$/, 'required'],
  [/^must have at least ([\d,]+) characters$/, 'tooShort'],
  [/^must have at most ([\d,]+) characters$/, 'tooLong'],
  [/^must have at most ([\d,]+) entries$/, 'tooMany'],
  [/^must be (?:an http or https URL|the address of a site)/, 'notAddress'],
  [/^is not your password$/, 'notPassword'],
  [/^must be valid Unicode without NUL characters$/, 'notText'],
]

/** Why something was refused, in the reader's language as far as there are words for it. */
export function reasonOf(error: unknown, speech: Speech): string {
  if (!(error instanceof ApiError)) return speech.words.common.offline
  const { code, status, message } = error
  const known = translate(message, SENTENCES, speech) ?? problemsIn(error.details, speech)
  if (known !== undefined) return known
  // Waiting does not help against a disk that cannot be written to, so that this is not to be hidden.
  if (/\b(?:disk|damaged)\b/.test(message)) return message
  const reason =
    code === '' && /^The server answered \d+\.$/.test(message) ? BY_STATUS[status] : BY_CODE[code]
  return reason === undefined ? message : speech.words.reasons[reason]
}

/** Why a chat failed. Empty when the server was not reached, for which the chat has words. */
export function reasonInChat(error: unknown, speech: Speech): string {
  if (!(error instanceof ApiError) || isAway(error)) return ''
  return INTERRUPTED.test(error.message) ? speech.words.chat.interrupted : reasonOf(error, speech)
}

/** The same of an answer that failed before: the server's sentence is all that is stored of it. */
export function reasonOfStored(said: string, speech: Speech): string {
  if (INTERRUPTED.test(said)) return speech.words.chat.interrupted
  return translate(said, SENTENCES, speech) ?? said
}

function translate(
  said: string,
  known: [RegExp, Reason][],
  { words, language }: Speech,
): string | undefined {
  for (const [sentence, reason] of known) {
    const match = sentence.exec(said)
    if (!match) continue
    const count = Number((match[1] ?? '').replaceAll(',', ''))
    return fill(words.reasons[reason], { count: formatNumber(count, language) })
  }
  return undefined
}

interface Problem {
  loc: string[]
  msg: string
}

const isProblem = (given: unknown): given is Problem =>
  typeof given === 'object' && given !== null && 'loc' in given && 'msg' in given

/** What is wrong with which fields, each called as its form calls it. */
function problemsIn(details: unknown, speech: Speech): string | undefined {
  if (!Array.isArray(details) || details.length === 0 || !details.every(isProblem)) return undefined
  const texts = details.map(({ loc, msg }) => {
    const problem = translate(msg, PROBLEMS, speech) ?? msg
    const field = labelOf(loc.slice(1), speech.words)
    return field === '' ? problem : fill(speech.words.reasons.field, { field, problem })
  })
  return texts.join('\n')
}
