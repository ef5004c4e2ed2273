import { Modal } from '@docent/widget/chat/parts/modal.tsx'
import type { ReactNode } from 'react'
import { useWords } from '../words-context.tsx'
import { Form } from './form.tsx'

interface FormDialogProps {
  title: string
  /** The mutation that submitting runs. */
  task: { error: unknown; isPending: boolean; mutate: () => void }
  /** The label of the submit button. */
  submit: string
  isIncomplete?: boolean
  children: ReactNode
  onClose: () => void
}

export function FormDialog(props: FormDialogProps) {
  const { title, task, submit, isIncomplete = false, children, onClose } = props
  const words = useWords().common
  return (
    <Modal title={title} onClose={onClose}>
      <Form
        task={task}
        onSubmit={() => task.mutate()}
        actions={
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onClose}>
              {words.cancel}
            </button>
            <button
              type="submit"
              className="button primary"
              disabled={isIncomplete}
              aria-disabled={task.isPending}
            >
              {submit}
            </button>
          </div>
        }
      >
        {children}
      </Form>
    </Modal>
  )
}
