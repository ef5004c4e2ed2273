import { RequestError } from '@docent/widget/chat/chat-api.ts'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { fill } from '../../../languages/words.ts'

const SHOWN_MS = 6_000

interface Toast {
  id: number
  text: string
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
  const words = useWords().common
  const [shown, setShown] = useState<Toast[]>([])

  const add = useCallback((text: string, isFailure: boolean) => {
    lastId += 1
    const toast = { id: lastId, text, isFailure }
    setShown((before) => [...before.slice(-2), toast])
    setTimeout(() => setShown((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS)
  }, [])
  const tell = useCallback((text: string) => add(text, false), [add])
  const tellFailure = useCallback(
    (error: unknown) => add(fill(words.failed, { reason: reasonOf(error, words.offline) }), true),
    [add, words],
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

/** The server's own sentence; without a server there is none. */
export function reasonOf(error: unknown, offline: string): string {
  return error instanceof RequestError ? error.message : offline
}
