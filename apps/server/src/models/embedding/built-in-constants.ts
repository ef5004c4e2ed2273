// Separate from the model, because importing the model's runtime takes memory.
export const BUILT_IN_NAME = 'docent-meaning-en-3'
export const BUILT_IN_DIMENSIONS = 384

/**
 * The encoder was trained on English. Other languages in Latin letters get a rough vector, other scripts a useless one.
 */
export function isMostlyLatin(text: string): boolean {
  // Compares Latin words with foreign letters: one Latin name among Chinese characters has as many letters as all of
  // them.
  const words = text.match(/\p{Script=Latin}+/gu) ?? []
  const foreign = text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []
  return words.length >= foreign.length / 2
}
