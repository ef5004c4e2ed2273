import { Modal } from '@docent/widget/chat/parts/modal.tsx'
import { useWords } from '../words-context.tsx'
import { CopyField } from './copy-field.tsx'

interface ShownOnceProps {
  title: string
  hint: string
  label: string
  value: string
  onClose: () => void
}

/** Shows a new secret, which the console never shows again. */
export function ShownOnce({ title, hint, label, value, onClose }: ShownOnceProps) {
  const words = useWords().common
  return (
    <Modal title={title} closesByButtonOnly onClose={onClose}>
      <p>{hint}</p>
      <CopyField label={label} value={value} />
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Modal>
  )
}
