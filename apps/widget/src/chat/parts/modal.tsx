import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../words-context.tsx'
import { Icon } from './icons.tsx'

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea'

interface ModalProps {
  title: string
  children: ReactNode
  className?: string
  /** Neither Escape nor a click beside it closes it: what it shows would be lost. */
  closesByButtonOnly?: boolean
  onClose: () => void
}

/**
 * The browser's own dialog: it keeps the focus inside, closes by Escape or a click beside it and gives the focus back. Where
 * something was filled in, it asks before.
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
    // Not the button that closes it, which comes first, but what is to be filled in.
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
      // Before the browser sees it, which would close the dialog at a second Escape whatever the page says.
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
      // The second of two gestures that go back on a phone cannot be held up: what was filled in is shown again.
      onClose={() => {
        setIsAsking(false)
        if (!dialog.current?.open) dialog.current?.showModal()
      }}
      // Whoever selects text and lets go beside the dialog has not clicked there.
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
