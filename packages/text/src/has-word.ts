/** Whether a text has letters or digits. Marks alone, such as a line between sections, say nothing. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
