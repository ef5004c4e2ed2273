/** Moves the focus to the page's start when the pressed control disappears. */
export function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}
