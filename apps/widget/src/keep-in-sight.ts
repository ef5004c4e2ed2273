/**
 * Tells the styles of an element which part of the page can be seen. On most phones the keyboard lies over the page and
 * does not make it smaller: without this, the field that is written in would be behind it.
 */
export function keepInSight(element: HTMLElement): void {
  const view = window.visualViewport
  if (!view) return
  const fit = () => {
    // Whoever has zoomed in chooses what is in sight.
    if (view.scale > 1.01) return
    element.style.setProperty('--visible-top', `${view.offsetTop}px`)
    element.style.setProperty('--visible-height', `${view.height}px`)
  }
  view.addEventListener('resize', fit)
  view.addEventListener('scroll', fit)
}
