import { useSpeech } from '@docent/widget/chat/words-context.tsx'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { focusPage } from './focus-page.ts'
import { reasonOf } from './reason-of.ts'

const SHOWN_AT_ONCE = 6
const SHOWN_MS = 6_000
/** There has to be time to read it, to decide and to get there. */
const SHOWN_WITH_ACTION_MS = 12_000

interface ToastAction {
  label: string
  run: () => void
}

interface Toast {
  id: number
  text: ReactNode
  isFailure: boolean
  action?: ToastAction | undefined
}

interface Toasts {
  tell: (text: string, action?: ToastAction) => void
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

  const remove = useCallback(
    (gone: number) => setShown((before) => before.filter(({ id }) => id !== gone)),
    [],
  )
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    lastId += 1
    const id = lastId
    setShown((before) => [...before.slice(1 - SHOWN_AT_ONCE), { ...toast, id }])
  }, [])
  const tell = useCallback(
    (text: string, action?: ToastAction) => add({ text, isFailure: false, action }),
    [add],
  )
  const tellFailure = useCallback(
    (error: unknown) =>
      add({ text: <Failure reason={reasonOf(error, speech)} />, isFailure: true }),
    [add, speech],
  )

  return (
    <ToastContext value={{ tell, tellFailure }}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map((toast) => (
          <ToastLine key={toast.id} toast={toast} onEnd={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

interface ToastLineProps {
  toast: Toast
  onEnd: (id: number) => void
}

/** Ends by itself, but not under the pointer or the keyboard of whoever is about to press its button. */
function ToastLine({ toast: { id, text, isFailure, action }, onEnd }: ToastLineProps) {
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const shownMs = action ? SHOWN_WITH_ACTION_MS : SHOWN_MS
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => onEnd(id), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld, shownMs, id, onEnd])
  return (
    <p className={isFailure ? 'toast failure' : 'toast'}>
      {text}
      {action && (
        <button
          type="button"
          className="toast-action"
          onPointerEnter={() => setIsPointedAt(true)}
          onPointerLeave={() => setIsPointedAt(false)}
          onFocus={() => setIsFocused(true)}
          onBlur={() => setIsFocused(false)}
          onClick={() => {
            focusPage()
            onEnd(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </p>
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
