/**
 * Passes the visible part of the page to an element's styles. On most phones the keyboard covers the page without
 * resizing it, and would hide the chat's input.
 */
export function keepInSight(element: HTMLElement): void {
  const view = window.visualViewport
  if (!view) return
  const fit = () => {
    // A user who has zoomed in controls the visible part.
    if (view.scale > 1.01) return
    element.style.setProperty('--visible-top', `${view.offsetTop}px`)
    element.style.setProperty('--visible-height', `${view.height}px`)
  }
  view.addEventListener('resize', fit)
  view.addEventListener('scroll', fit)
}
