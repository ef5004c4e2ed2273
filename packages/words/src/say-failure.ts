import {
  type Attempts,
  FAILURES,
  type FailureCode,
  type FailureRecord,
} from '@docent/contract/failures/failure-codes.ts'
import { fillParams } from './fill-params.ts'
import { fill, type Words } from './words.ts'

interface Speech {
  words: Words['failures']
  language: string
}

/**
 * Says why a source failed and what is known about retries. Returns undefined for codes of a newer version and for
 * invalid parameters of an imported source.
 */
export function sayFailure(failure: FailureRecord, speech: Speech): string | undefined {
  const { code, params = {} } = failure
  if (!isFailureCode(code)) return undefined
  const said = code === 'no_page_read' ? sayFirst(params.first, speech) : sayAlone(failure, speech)
  return said === undefined ? undefined : [said, ...sayAttempts(params, speech)].join(' ')
}

function sayFirst(given: unknown, speech: Speech): string | undefined {
  const first = isRecord(given) ? sayAlone(given, speech) : undefined
  return first === undefined ? undefined : fill(speech.words.no_page_read, { first })
}

function sayAlone({ code, params = {} }: FailureRecord, speech: Speech): string | undefined {
  if (!isFailureCode(code)) return undefined
  return fillParams(speech.words[code], FAILURES[code], params, speech.language)
}

function sayAttempts(
  { tried, again_later, again_seconds }: Attempts,
  { words, language }: Speech,
): string[] {
  const isLater = again_later === true
  return [
    ...(Number.isFinite(tried) ? [fill(words.tried, { tried: tried! })] : []),
    ...(isLater ? [words.again_later] : []),
    ...(Number.isFinite(again_seconds)
      ? [fill(words.again_seconds, { when: inWords(again_seconds!, language) })]
      : []),
  ]
}

function inWords(seconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language)
  return seconds < 120
    ? format.format(seconds, 'second')
    : format.format(Math.ceil(seconds / 60), 'minute')
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code)
}

function isRecord(given: unknown): given is FailureRecord {
  return typeof given === 'object' && given !== null && 'code' in given
}
