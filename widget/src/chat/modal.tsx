import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icons.tsx'
import { useWords } from './words-context.tsx'

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea'

interface ModalProps {
  title: string
  children: ReactNode
  className?: string
  onClose: () => void
}

/** The browser's own dialog: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Modal({ title, children, className = '', onClose }: ModalProps) {
  const words = useWords().common
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Not the button that closes it, which comes first, but what is to be filled in.
    const fields = [...(element?.querySelectorAll<HTMLInputElement>(FIELDS) ?? [])]
    const first = fields.find(({ value }) => value === '') ?? fields[0]
    first?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={heading} dir="auto">
            {title}
          </h2>
          <button type="button" className="icon-button" onClick={onClose} aria-label={words.close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
