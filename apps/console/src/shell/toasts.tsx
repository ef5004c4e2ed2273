import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useSpeech } from '../words-context.tsx'
import { reasonOf } from './explain-error.ts'
import { focusPage } from './focus-page.ts'

const SHOWN_AT_ONCE = 6
const SHOWN_MS = 6_000
/** Long enough to read the toast, decide and reach the button. */
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
  isPointedAt: boolean
  isFocused: boolean
}

interface Toasts {
  tell: (text: string, action?: ToastAction) => void
  /** For `onError`: shows the reason of a failure. */
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
  const change = useCallback(
    (changed: number, how: Partial<Toast>) =>
      setShown((before) =>
        before.map((toast) => (toast.id === changed ? { ...toast, ...how } : toast)),
      ),
    [],
  )
  const add = useCallback((toast: Pick<Toast, 'text' | 'isFailure' | 'action'>) => {
    lastId += 1
    const added = { ...toast, id: lastId, isPointedAt: false, isFocused: false }
    setShown((before) => [...withRoom(before), added])
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
          <ToastLine key={toast.id} toast={toast} onChange={change} onEnd={remove} />
        ))}
      </div>
    </ToastContext>
  )
}

/** The user may be about to press the toast's button. */
function isInUse({ isPointedAt, isFocused }: Toast): boolean {
  return isPointedAt || isFocused
}

/** Removes the oldest toast that is not in use when there is no room. */
function withRoom(shown: Toast[]): Toast[] {
  if (shown.length < SHOWN_AT_ONCE) return shown
  const oldest = shown.find((toast) => !isInUse(toast))
  return shown.filter((toast) => toast !== oldest)
}

interface ToastLineProps {
  toast: Toast
  onChange: (id: number, how: Partial<Toast>) => void
  onEnd: (id: number) => void
}

/** Disappears after a while, but not while pointed at or focused. */
function ToastLine({ toast, onChange, onEnd }: ToastLineProps) {
  const { id, text, isFailure, action } = toast
  const isHeld = isInUse(toast)
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
          onPointerEnter={() => onChange(id, { isPointedAt: true })}
          onPointerLeave={() => onChange(id, { isPointedAt: false })}
          onFocus={() => onChange(id, { isFocused: true })}
          onBlur={() => onChange(id, { isFocused: false })}
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

/** The reason has its own direction, because it may be the server's English message. */
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
