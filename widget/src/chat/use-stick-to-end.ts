import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Nearer than this to the end, a reader is taken to follow the text. */
const NEAR = 60

/** Keeps the end of a growing list in sight, unless its reader has gone elsewhere in it. */
export function useStickToEnd(content: readonly unknown[]) {
  const scroller = useRef<HTMLElement>(null)
  const follows = useRef(true)
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
    if (element && follows.current && content.length > 0) element.scrollTop = element.scrollHeight
  }, [content])

  return { scroller, isAtEnd, onScroll, toEnd }
}
