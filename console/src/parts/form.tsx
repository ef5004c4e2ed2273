import { useQuery } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { isSignedOut } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import { useSpeech, useWords } from '../words-context.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { reasonOf } from './reason-of.ts'

interface FormProps {
  /** The mutation that sending it runs. */
  task: { error: unknown; isPending: boolean }
  onSubmit: (fields: Record<string, FormDataEntryValue>) => void
  className?: string
  ref?: Ref<HTMLFormElement>
  children: ReactNode
  /** What stands at its end, below what went wrong. */
  actions: ReactNode
}

/** A form that says why it was refused. */
export function Form({ task, onSubmit, className = 'stack', ref, children, actions }: FormProps) {
  const speech = useSpeech()
  const { data: signIn } = useQuery(signInQuery)
  // Whoever has signed in again need not be told any more that they were not.
  const isSettled = signIn?.user != null && isSignedOut(task.error)
  return (
    <form
      ref={ref}
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        if (!task.isPending) onSubmit(Object.fromEntries(new FormData(event.currentTarget)))
      }}
    >
      {children}
      <div className="stack form-end">
        {task.error != null && !isSettled && (
          <p className="notice danger form-error" role="alert" dir="auto">
            {reasonOf(task.error, speech)}
          </p>
        )}
        {actions}
      </div>
    </form>
  )
}

interface SaveRowProps {
  isChanged: boolean
  isPending: boolean
}

export function SaveRow({ isChanged, isPending }: SaveRowProps) {
  const words = useWords()
  return (
    <div className="save-row" data-changed={isChanged}>
      <LeaveGuard isChanged={isChanged} />
      <span className="text-ink-soft text-sm" aria-live="polite">
        {isChanged ? words.settings.unsaved : ''}
      </span>
      <button type="submit" className="button primary" disabled={!isChanged || isPending}>
        {isPending ? words.common.saving : words.common.save}
      </button>
    </div>
  )
}
