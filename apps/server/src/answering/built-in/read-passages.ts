import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Reading, Span } from '@docent/quote/reading.ts'
import { detectLanguage } from '@docent/text/detect-language.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { sentencesOfParts } from '@docent/text/sentences.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { Inference } from '../../models/inference/inference.ts'

const MAX_READ = 5
// Of a text, in characters, that the reader reads whole as a rule.
const READ_LENGTH = 1_500

export interface ReadingServices {
  config: Pick<Config, 'reader'>
  inference: Inference
  log: FastifyBaseLogger
}

/**
 * What the reader makes of the best passages; nothing where it is switched off or can't read the language. A follow-up
 * is read for alone, too: beside the question before it, it is overheard.
 */
export async function readPassages(
  { config, inference, log }: ReadingServices,
  ownerId: string,
  wordings: Wordings,
  found: FoundPassage[],
): Promise<Reading[] | undefined> {
  const texts = found.filter(({ type }) => type !== 'qa').slice(0, MAX_READ)
  if (!config.reader || texts.length === 0) return undefined
  if (detectLanguage(wordings.at(-1)!.text, texts[0]!.text) !== 'en') return undefined
  const bodies = texts.map(bodyOf)
  const passages = texts.map(({ text }, i) => text.slice(bodies[i]))
  try {
    const read = await Promise.all(
      wordings.map(({ text }) =>
        inference.run({ kind: 'read', question: text, passages }, ownerId),
      ),
    )
    return bodies.map((body, i) => ({
      presence: read.at(-1)![i]!.presence,
      spans: wordings.flatMap(({ share }, k) => placeSpans(read[k]![i]!.spans, body, share)),
    }))
  } catch (error) {
    log.warn({ err: error }, 'answering without the reader')
    return undefined
  }
}

/**
 * Where the reading begins: behind the headings, for the reader has learnt from paragraphs, which have none. It reads the
 * beginning of a long text only, so that of joined passages it begins so that the sentence with most of the question is
 * read, too.
 */
function bodyOf({ text, partStarts, sentenceCoverage }: FoundPassage): number {
  const sentences = sentencesOfParts(text, partStarts)
  const body = sentences.find(({ isHeading }) => !isHeading)?.start ?? 0
  const nearest = sentences[sentenceCoverage.indexOf(Math.max(...sentenceCoverage))]
  if (!nearest || nearest.end - body <= READ_LENGTH) return body
  return sentences.find(({ start }) => start >= nearest.end - READ_LENGTH)?.start ?? nearest.start
}

function placeSpans(spans: Span[], from: number, weight: number): Span[] {
  return spans.map(({ start, end, share }) => ({
    start: from + start,
    end: from + end,
    share: weight * share,
  }))
}
