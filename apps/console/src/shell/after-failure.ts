import { fill } from '@docent/words/words.ts'
import { metaOf, type Source } from '../api/records.ts'
import { formatMoment } from '../format.ts'
import type { Speech } from '../words-context.tsx'

/** What a source that failed does nevertheless: it answers with what was read before, and is tried again. */
export function afterFailure(source: Source, { words, language }: Speech): string {
  const { fetched_at, next_reading_at } = metaOf(source)
  const say = (sentence: string, moment: string | undefined) =>
    // An imported source may say anything.
    Number.isNaN(Date.parse(moment ?? ''))
      ? []
      : [fill(sentence, { when: formatMoment(moment!, language) })]
  return [
    ...say(words.sources.stillAnswers, fetched_at),
    ...say(words.sources.nextTry, next_reading_at),
  ].join(' ')
}
