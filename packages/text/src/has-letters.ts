/** Whether a text has letters or digits. Punctuation alone, for example a line between sections, has no content. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
