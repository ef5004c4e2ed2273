/** On touch devices, focusing a field opens a keyboard that covers half of the page. */
export function hasKeyboard(): boolean {
  return matchMedia('(pointer: fine)').matches
}
