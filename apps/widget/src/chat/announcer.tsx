import { useEffect, useRef, useState } from 'react'
import type { Turn } from './conversation.ts'
import { completeSentences, speakable } from './split-announcement.ts'
import { useWords } from './words-context.tsx'

const PAUSE_MS = 2_000

/**
 * The text that screen readers announce while an answer streams. The answer itself is not a live region: it changes
 * sixty times a second, and screen readers would start over each time. This region adds whole sentences, with a pause
 * between them.
 */
export function Announcer({ turn }: { turn: Turn | undefined }) {
  const words = useWords().chat
  const [said, setSaid] = useState<{ key: string; parts: string[]; length: number }>()
  const latest = useRef(turn)
  latest.current = turn
  const isRunning =
    turn?.state === 'streaming' || turn?.state === 'waiting' || turn?.state === 'reconnecting'
  const key = turn?.key
  // Answers loaded with the page are not announced.
  const [announced, setAnnounced] = useState<string>()

  useEffect(() => {
    if (isRunning) setAnnounced(key)
  }, [isRunning, key])

  useEffect(() => {
    if (key === undefined || announced !== key) return
    const add = () => {
      const current = latest.current
      if (!current) return
      const isOver = current.state === 'done' || current.state === 'failed'
      setSaid((before) => {
        const own = before?.key === key ? before : { key, parts: [], length: 0 }
        const rest = current.text.slice(own.length)
        const next = isOver ? rest : completeSentences(rest)
        if (next === '') return own
        return { key, parts: [...own.parts, speakable(next)], length: own.length + next.length }
      })
    }
    add()
    if (!isRunning) return
    const timer = setInterval(add, PAUSE_MS)
    return () => clearInterval(timer)
  }, [key, announced, isRunning])

  const isOurs = said && said.key === key
  return (
    <div className="visually-hidden" aria-live="polite" role="log">
      {turn?.state === 'waiting' && <p>{words.thinking}</p>}
      {turn?.state === 'reconnecting' && <p>{words.reconnecting}</p>}
      {isOurs &&
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
        said.parts.map((part, index) => <p key={index}>{part}</p>)}
      {turn?.state === 'failed' && <p>{turn.error || words.noConnection}</p>}
    </div>
  )
}
