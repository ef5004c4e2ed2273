// Apart from the model itself, whose runtime takes memory as soon as it is imported.
export const BUILT_IN_NAME = 'docent-meaning-en-3'
export const BUILT_IN_DIMENSIONS = 384

/** It has learnt English: of languages in its letters it makes something, of other scripts nothing that tells texts apart. */
export function isInItsLetters(text: string): boolean {
  // A foreign name among Chinese signs has as many letters as all of them.
  const words = text.match(/\p{Script=Latin}+/gu) ?? []
  const foreign = text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []
  return words.length >= foreign.length / 2
}
