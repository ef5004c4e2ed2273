import { type Sentence, sentencesOfParts } from '@docent/text/sentences.ts'
import type { Candidate } from './choose-sentences.ts'
import { takeBest } from './take-best.ts'

// So long is an explanation: of sentences that speak for themselves, and with those that stand beside the best.
const SEVERAL = 500
const WITH_NEIGHBOURS = 450
// Where one sentence is much likelier than all others, less is enough.
const SURE = 0.6
const FEW = 290
const WITH_FEW_NEIGHBOURS = 280

// Not to be understood without what stands before it.
const REFERS_BACK =
  /^(?:it|he|she|they|this|these|that|those|his|her|their|its|such|however|therefore|additionally|also|as such|in addition|for example)\b/i
// A row, an item or a line of code is no sentence, and what a page or passage has cut off is none either.
const WHOLE = /^[\p{Lu}\p{Lo}\p{N}“"'(¿¡][^|`{}]*[.!?…。！？][”"')\]]*$/su

/** The best sentences whole, the best one with those beside it that go on with what it says. */
export function explain(candidates: Candidate[]): Candidate[] {
  const isSure = candidates[0]!.value >= SURE
  const chosen = takeBest(candidates, (one) => one, isSure ? FEW : SEVERAL)
  return withNeighbours(chosen, isSure ? WITH_FEW_NEIGHBOURS : WITH_NEIGHBOURS)
}

function withNeighbours(chosen: Candidate[], room: number): Candidate[] {
  const best = chosen[0]!
  if (best.cut || !isWhole(best, best)) return chosen
  const sentences = sentencesOfParts(best.passage.text, best.passage.partStarts)
  const added: Candidate[] = []
  let length = chosen.reduce((sum, { start, end }) => sum + end - start, 0)
  const add = (index: number): boolean => {
    const sentence = sentences[index]
    const [first, second] = index < best.index ? [index, index + 1] : [index - 1, index]
    if (!sentence || !isWhole(best, sentence) || sentence.isHeading) return false
    if (isApart(best.passage.text, sentences[first]!, sentences[second]!)) return false
    if (chosen.some((one) => one.rank === best.rank && one.index === index)) return true
    length += sentence.end - sentence.start
    if (length > room) return false
    added.push({ ...best, ...sentence, index, value: 0, spans: [] })
    return true
  }
  if (REFERS_BACK.test(best.passage.text.slice(best.start, best.end))) add(best.index - 1)
  for (let index = best.index + 1; add(index); ) index += 1
  return [...chosen, ...added]
}

function isWhole({ passage }: Candidate, { start, end }: Pick<Sentence, 'start' | 'end'>): boolean {
  return WHOLE.test(passage.text.slice(start, end))
}

/** In two paragraphs. */
function isApart(text: string, before: Sentence, after: Sentence): boolean {
  return /\n\s*\n/.test(text.slice(before.end, after.start))
}
