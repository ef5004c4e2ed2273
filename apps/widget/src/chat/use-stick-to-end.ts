import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Nearer than this to the end, a reader is taken to follow the text. */
const NEAR = 60
/** How much of the entry before the first one shows that there is more. */
const ABOVE = 48

/**
 * Keeps the end of a growing list in sight, unless its reader has gone elsewhere in it. When older entries are put before
 * the first one, that one stays in sight.
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

  // Before there is anything to follow, it begins at its top, as a page does.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const place = content.findIndex(({ key }) => key === firstKey.current)
    firstKey.current = content[0]?.key
    if (follows.current && content.length > 0) element.scrollTop = element.scrollHeight
    else if (place > 0) {
      // Entries out of sight have no height yet, so the list's height does not say how far to go.
      const first = element.querySelectorAll('.turn')[place]!
      const distance = first.getBoundingClientRect().top - element.getBoundingClientRect().top
      element.scrollTop += distance - ABOVE
    }
  }, [content])

  return { scroller, isAtEnd, onScroll, toEnd }
}
