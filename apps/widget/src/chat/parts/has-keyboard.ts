/** Where there is none, a focused field brings one up that covers half of the page. */
export function hasKeyboard(): boolean {
  return matchMedia('(pointer: fine)').matches
}
