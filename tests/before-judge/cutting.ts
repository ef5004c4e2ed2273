import type { Candidate } from '@docent/quote/before-judge/choose-sentences.ts'
import { pieceOf } from '@docent/quote/before-judge/cut-sentence.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'

export const LONGEST = 114

/** Makes a sentence in which the reader found this answer. */
export function sentence(text: string, answer: string): Candidate {
  const start = text.indexOf(answer)
  return {
    passage: { text } as FoundPassage,
    rank: 0,
    index: 0,
    start: 0,
    end: text.length,
    value: 1,
    spans: [{ start, end: start + answer.length, share: 0.9 }],
  }
}

export function cut(text: string, answer: string, question: string): string | undefined {
  const piece = pieceOf(sentence(text, answer), question, LONGEST)
  return piece && text.slice(piece.start, piece.end)
}
