import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useState } from 'react'
import { focusPage } from '../shell/focus-page.ts'
import { Confirm } from './confirm.tsx'

interface DeleteButtonProps {
  label: string
  /** Tells several delete buttons apart for screen readers. */
  of?: string
  title: string
  question: string
  className?: string
  remove: () => Promise<unknown>
  onRemoved: () => Promise<void>
}

/** Asks, deletes, then moves the focus to the page. */
export function DeleteButton(props: DeleteButtonProps) {
  const { label, of, title, question, className = '', remove, onRemoved } = props
  const [isAsking, setIsAsking] = useState(false)
  const leadOn = async () => {
    setIsAsking(false)
    await onRemoved()
    focusPage()
  }
  return (
    <>
      <button
        type="button"
        className={`button danger ${className}`}
        onClick={() => setIsAsking(true)}
        aria-label={of === undefined ? undefined : `${label}: ${of}`}
      >
        {of === undefined && <Icon name="trash" size={16} />}
        {label}
      </button>
      {isAsking && (
        <Confirm
          title={title}
          question={question}
          action={label}
          act={remove}
          onDone={leadOn}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
