import type { ReactNode, Ref } from 'react'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { useWords } from '../words-context.tsx'

interface FormProps {
  /** The mutation that submitting runs. */
  task: { error: unknown; isPending: boolean }
  onSubmit: (fields: Record<string, FormDataEntryValue>) => void
  className?: string
  ref?: Ref<HTMLFormElement>
  children: ReactNode
  /** Shown at the end of the form, below the error. */
  actions: ReactNode
}

/**
 * A form that shows why the server rejected it. The submit button does nothing while a request runs. It is not
 * `disabled`, which would take the keyboard focus from users who need to correct a field.
 */
export function Form({ task, onSubmit, className = 'stack', ref, children, actions }: FormProps) {
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
        <Refusal error={task.error} />
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
      <button
        type="submit"
        className="button primary"
        disabled={!isChanged}
        aria-disabled={isPending}
      >
        {isPending ? words.common.saving : words.common.save}
      </button>
    </div>
  )
}
