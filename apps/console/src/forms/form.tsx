import type { ReactNode, Ref } from 'react'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { useWords } from '../words-context.tsx'

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

/**
 * A form that says why it was refused. The button that sends it is not disabled meanwhile, which would take the keyboard away from
 * whoever has to correct something: here it does nothing.
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
