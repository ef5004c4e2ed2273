import { quotePassages } from '@docent/quote/before-judge/quote-passages.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'

/** A passage that covers only the question. */
export function found(text: string): FoundPassage {
  return {
    passage_id: 1,
    source_id: 'source',
    revision: 'revision',
    build: 'build',
    position: 0,
    count: 1,
    partStarts: [0],
    starts_at: 100,
    ends_at: 100 + text.length,
    gap: '',
    lead: '',
    text,
    page: null,
    title: 'Title',
    type: 'upload',
    file_name: 'title.txt',
    meta: '{}',
    page_url: '',
    score: 50,
    evidence: { words: 5, meaning: 1, phrases: 5, sentence: 5, coverage: 1 },
    nearness: 'known' as const,
    sentenceCoverage: [1],
  }
}

/** Quotes passages in each of which the reader found an answer with the same confidence. */
export function quote(
  question: string,
  answers: [text: string, answer: string][],
  presence = 3,
  sentenceCoverage?: number[],
  share = 0.95,
) {
  const readings = answers.map(([text, answer]) => {
    const start = text.indexOf(answer)
    return { presence, spans: [{ start, end: start + answer.length, share }] }
  })
  const passages = answers.map(([text], i) => ({
    ...found(text),
    passage_id: i,
    source_id: `${i}`,
    ...(sentenceCoverage && { sentenceCoverage }),
  }))
  return quotePassages({ question, found: passages, readings, showCitations: true })
}
