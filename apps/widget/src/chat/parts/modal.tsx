import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../words-context.tsx'
import { Icon } from './icons.tsx'

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea'

interface ModalProps {
  title: string
  children: ReactNode
  className?: string
  /** Ignores Escape and outside clicks, because the dialog's content would be lost. */
  closesByButtonOnly?: boolean
  onClose: () => void
}

/**
 * The native dialog: it traps the focus, closes on Escape or an outside click, and restores the focus. It asks before
 * closing if a field was edited.
 */
export function Modal(props: ModalProps) {
  const { title, children, className = '', closesByButtonOnly = false, onClose } = props
  const words = useWords().common
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const isFilledIn = useRef(false)
  const isPressedBeside = useRef(false)
  const [isAsking, setIsAsking] = useState(false)

  function dismiss(): void {
    if (closesByButtonOnly) return
    if (isFilledIn.current) setIsAsking(true)
    else onClose()
  }

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Focus the first field to fill in, not the close button before it.
    const fields = [...(element?.querySelectorAll<HTMLInputElement>(FIELDS) ?? [])]
    const first = fields.find(({ required, value }) => required && value === '') ?? fields[0]
    first?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={heading}
      onInput={() => {
        isFilledIn.current = true
      }}
      // Handle Escape before the browser does. At a second Escape, the browser would close the dialog regardless.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing)
          return
        event.preventDefault()
        dismiss()
      }}
      onCancel={(event) => {
        event.preventDefault()
        dismiss()
      }}
      // On phones, a second back gesture cannot be prevented. Reopen the dialog, so that the input is kept.
      onClose={() => {
        setIsAsking(false)
        if (!dialog.current?.open) dialog.current?.showModal()
      }}
      // Selecting text and releasing the pointer outside is not an outside click.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        if (event.target === dialog.current && isPressedBeside.current) dismiss()
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
      {isAsking && (
        <Modal title={words.leave} onClose={() => setIsAsking(false)}>
          <p>{words.leaveAsk}</p>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setIsAsking(false)}>
              {words.cancel}
            </button>
            <button type="button" className="button solid" onClick={onClose}>
              {words.leaveNow}
            </button>
          </div>
        </Modal>
      )}
    </dialog>
  )
}
