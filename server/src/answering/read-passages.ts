import type { Reading } from '../models/reader/passage-reader.ts'
import type { FoundPassage } from '../search/find-passages.ts'
import { sentencesOfParts } from '../search/sentences.ts'
import type { Services } from '../services.ts'
import { detectLanguage } from './detect-language.ts'

const MAX_READ = 5

/** What the reader makes of the best passages; nothing where it is switched off or can't read the language. */
export async function readPassages(
  { config, inference, log }: Services,
  question: string,
  found: FoundPassage[],
): Promise<Reading[] | undefined> {
  const texts = found.filter(({ type }) => type !== 'qa').slice(0, MAX_READ)
  if (!config.reader || texts.length === 0 || detectLanguage(question) !== 'en') return undefined
  const bodies = texts.map(bodyOf)
  const passages = texts.map(({ text }, i) => text.slice(bodies[i]))
  try {
    const readings = await inference.run({ kind: 'read', question, passages })
    return readings.map((reading, i) => moveSpans(reading, bodies[i]!))
  } catch (error) {
    log.warn({ err: error }, 'answering without the reader')
    return undefined
  }
}

/** Where the headings at the beginning of a passage end: the reader has learnt from paragraphs, which have none. */
function bodyOf({ text, partStarts }: FoundPassage): number {
  return sentencesOfParts(text, partStarts).find(({ isHeading }) => !isHeading)?.start ?? 0
}

function moveSpans({ presence, spans }: Reading, by: number): Reading {
  const moved = spans.map(({ start, end, share }) => ({ start: start + by, end: end + by, share }))
  return { presence, spans: moved }
}
