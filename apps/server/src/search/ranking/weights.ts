import type { Evidence } from '@docent/quote/found-passage.ts'

// Every tuned number of the ranking. All were fitted by hand on the English sets of docs/explanation/quality.md, by
// nDCG@10, unless a comment names other data.

/** BM25's usual constants, not fitted. */
export const BM25 = { k1: 1.2, b: 0.75 }

export const PASSAGE_WEIGHTS: Evidence = {
  words: 1,
  meaning: 34,
  phrases: 0.4,
  sentence: 0.4,
  coverage: 3,
}

/**
 * For a pair, meaning weighs as much as the question's words could: in a small collection no word is rare, and meaning
 * would drown them out.
 *
 * @param whole rarity of all of the question's words
 * @param sayable the same, but never below a share of the rarest word's rarity (`SHARE_OF_RAREST`)
 */
export function pairWeights(whole: number, sayable: number): Evidence {
  return {
    words: 1,
    meaning: 1.6 * sayable,
    phrases: 0.4,
    sentence: 0,
    coverage: (3 * whole) / sayable,
  }
}

/**
 * If all pairs share the question's words, such as a product name, meaning must distinguish the pairs. It then weighs
 * at least as much as this share of a word that only one passage has.
 */
export const SHARE_OF_RAREST = 0.75

/** Weight of a pair's answer beside its question. */
export const PAIR_ANSWER_WEIGHT = 0.3

/** The usual length of a pair's question in characters. */
export const PAIR_QUESTION_LENGTH = 45

/**
 * Weight of the score as a pair, for a section whose heading asks. Below 1, because readers may need the whole section.
 */
export const ASKING_SECTION_WEIGHT = 0.7

/** A word in a larger share of the passages finds no candidates, unless there are few passages. */
export const COMMON_WORD = { share: 0.2, fewPassages: 200 }

/**
 * The built-in encoder was trained on English. This is its weight for other languages in Latin letters. On XQuAD,
 * nDCG@10 is the same as with a weight of 1 (German .966 instead of .964, Turkish .944 instead of .947). In small
 * collections a weight of 1 would drown out the decisive word.
 */
export const OTHER_LANGUAGE_WEIGHT = 0.4

/** The score of a passage in which the reader finds the answer, and the presence from which that is likely. */
export const READER = { answerScore: 12, presence: 2 }
