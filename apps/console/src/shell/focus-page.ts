/** For whoever uses the keyboard, where what they have pressed goes: they go on at the page's beginning. */
export function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}
