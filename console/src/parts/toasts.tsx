import { useSpeech } from '@docent/widget/chat/words-context.tsx'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { reasonOf } from './reason-of.ts'

const SHOWN_MS = 6_000

interface Toast {
  id: number
  text: ReactNode
  isFailure: boolean
}

interface Toasts {
  tell: (text: string) => void
  /** For an `onError`: says in a sentence what went wrong. */
  tellFailure: (error: unknown) => void
}

const ToastContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext)
  if (!toasts) throw new Error('Toasts are used outside of their provider')
  return toasts
}

let lastId = 0

export function ToastProvider({ children }: { children: ReactNode }) {
  const speech = useSpeech()
  const [shown, setShown] = useState<Toast[]>([])

  const add = useCallback((text: ReactNode, isFailure: boolean) => {
    lastId += 1
    const toast = { id: lastId, text, isFailure }
    setShown((before) => [...before.slice(-2), toast])
    setTimeout(() => setShown((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS)
  }, [])
  const tell = useCallback((text: string) => add(text, false), [add])
  const tellFailure = useCallback(
    (error: unknown) => add(<Failure reason={reasonOf(error, speech)} />, true),
    [add, speech],
  )

  return (
    <ToastContext value={{ tell, tellFailure }}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, text, isFailure }) => (
          <p key={id} className={isFailure ? 'toast failure' : 'toast'}>
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}

/** The reason keeps its own direction, as it may be a sentence of the server's. */
function Failure({ reason }: { reason: string }) {
  const [before, after] = useSpeech().words.common.failed.split('{reason}')
  return (
    <>
      {before}
      <bdi>{reason}</bdi>
      {after}
    </>
  )
}
