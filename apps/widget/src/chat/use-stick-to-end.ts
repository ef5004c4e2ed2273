import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Below this distance to the end, the reader follows the text. */
const NEAR = 60
/** The visible part of the previous entry, which shows that there is more. */
const ABOVE = 48

/**
 * Keeps the end of a growing list in view, unless the reader has scrolled away. When older entries are added at the
 * start, the previous first entry stays in view.
 */
export function useStickToEnd(content: readonly { key: string }[]) {
  const scroller = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const firstKey = useRef<string>(undefined)
  const [isAtEnd, setIsAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    follows.current = true
    setIsAtEnd(true)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight
    follows.current = rest < NEAR
    setIsAtEnd(rest < NEAR)
  }, [])

  // An empty list starts at its top, like any page.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const place = content.findIndex(({ key }) => key === firstKey.current)
    firstKey.current = content[0]?.key
    if (follows.current && content.length > 0) element.scrollTop = element.scrollHeight
    else if (place > 0) {
      // Skipped entries have no height yet, so the list's height does not give the distance.
      const first = element.querySelectorAll('.turn')[place]!
      const distance = first.getBoundingClientRect().top - element.getBoundingClientRect().top
      element.scrollTop += distance - ABOVE
    }
  }, [content])

  return { scroller, isAtEnd, onScroll, toEnd }
}
