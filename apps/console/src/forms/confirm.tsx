import { Modal } from '@docent/widget/chat/parts/modal.tsx'
import { useMutation } from '@tanstack/react-query'
import { Refusal } from '../shell/refusal.tsx'
import { useWords } from '../words-context.tsx'

interface ConfirmProps {
  title: string
  question: string
  action: string
  canBeUndone?: boolean
  act: () => unknown
  onDone?: () => void | Promise<void>
  onClose: () => void
}

/** Asks before deleting, and shows why a deletion failed. */
export function Confirm(props: ConfirmProps) {
  const { title, question, action, canBeUndone = false, act, onDone, onClose } = props
  const words = useWords().common
  const task = useMutation({ mutationFn: async () => act(), onSuccess: () => onDone?.() })
  return (
    <Modal title={title} onClose={onClose}>
      <p className="wrap-anywhere">{question}</p>
      {!canBeUndone && <p className="text-ink-soft">{words.deleteForGood}</p>}
      <Refusal error={task.error} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button
          type="button"
          className="button solid"
          // `disabled` would take the keyboard focus from users who need to retry.
          aria-disabled={task.isPending}
          onClick={() => {
            if (!task.isPending) task.mutate()
          }}
        >
          {action}
        </button>
      </div>
    </Modal>
  )
}
