import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Reading, Span } from '@docent/quote/reading.ts'
import { detectLanguage } from '@docent/text/detect-language.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { sentencesOfParts } from '@docent/text/sentences.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import type { Inference } from '../../models/inference/inference.ts'

const MAX_READ = 5
// The length of text, in characters, that the reader usually reads whole.
const READ_LENGTH = 1_500

export interface ReadingServices {
  config: Pick<Config, 'reader'>
  inference: Inference
  log: FastifyBaseLogger
}

/**
 * Runs the reader on the best passages. Returns undefined if the reader is off or cannot read the language. It
 * also reads for a follow-up without the question before it, which would drown it out.
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
 * Returns where the reader begins: after the headings, because the reader was trained on paragraphs without headings.
 * It reads only the beginning of a long text. In joined passages it begins late enough to read the sentence with the
 * most words of the question.
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
