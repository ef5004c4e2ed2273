import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '../words-context.tsx'

interface ConfirmProps {
  title: string
  question: string
  action: string
  isBusy: boolean
  /** It can be had again. */
  canBeUndone?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is gone for good. */
export function Confirm(props: ConfirmProps) {
  const { title, question, action, isBusy, canBeUndone = false, onConfirm, onClose } = props
  const words = useWords().common
  return (
    <Modal title={title} onClose={onClose}>
      <p className="wrap-anywhere">{question}</p>
      {!canBeUndone && <p className="text-ink-soft">{words.deleteForGood}</p>}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button
          type="button"
          className="button solid"
          // Not disabled, which would take the keyboard away from whoever has to try again.
          aria-disabled={isBusy}
          onClick={() => {
            if (!isBusy) onConfirm()
          }}
        >
          {action}
        </button>
      </div>
    </Modal>
  )
}
