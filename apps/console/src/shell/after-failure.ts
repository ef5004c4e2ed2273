import { fill } from '@docent/words/words.ts'
import { metaOf, type Source } from '../api/records.ts'
import { formatMoment } from '../format.ts'
import type { Speech } from '../words-context.tsx'

/** Tells users after a failure that the earlier text still answers, and when the next try is. */
export function afterFailure(source: Source, { words, language }: Speech): string {
  const { fetched_at, next_reading_at } = metaOf(source)
  const say = (sentence: string, moment: string | undefined) =>
    // An imported source may have an invalid date.
    Number.isNaN(Date.parse(moment ?? ''))
      ? []
      : [fill(sentence, { when: formatMoment(moment!, language) })]
  return [
    ...say(words.sources.stillAnswers, fetched_at),
    ...say(words.sources.nextTry, next_reading_at),
  ].join(' ')
}
