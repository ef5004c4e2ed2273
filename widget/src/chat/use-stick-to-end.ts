import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Nearer than this to the end, a reader is taken to follow the text. */
const NEAR = 60

/**
 * Keeps the end of a growing list in sight, unless its reader has gone elsewhere in it. What is read stays in its place
 * when something is put before the first entry.
 */
export function useStickToEnd(content: readonly unknown[], firstKey: string | undefined) {
  const scroller = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const before = useRef<{ firstKey: string | undefined; height: number }>(undefined)
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
    const { scrollHeight } = element
    const known = before.current
    const isPutBefore = known?.firstKey !== undefined && known.firstKey !== firstKey
    if (follows.current && content.length > 0) element.scrollTop = scrollHeight
    else if (isPutBefore) element.scrollTop += scrollHeight - known.height
    before.current = { firstKey, height: scrollHeight }
  }, [content, firstKey])

  return { scroller, isAtEnd, onScroll, toEnd }
}
