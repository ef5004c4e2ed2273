import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import type { Source } from '../api/records.ts'
import { Field } from './field.tsx'
import { useToasts } from './toasts.tsx'

interface RenameDialogProps {
  chatbot: string
  source: Source
  onClose: () => void
}

export function RenameDialog({ chatbot, source, onClose }: RenameDialogProps) {
  const words = useWords()
  const [title, setTitle] = useState(source.title)
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const rename = useMutation({
    mutationFn: () => post(`/data-source/${source.uuid}/update`, { title }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries(sourcesQuery(chatbot)),
        queries.invalidateQueries(sourceQuery(source.uuid)),
      ])
      onClose()
    },
    onError: tellFailure,
  })
  return (
    <Modal title={words.common.rename} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <Field label={words.sources.newTitle}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              required
              maxLength={255}
              dir="auto"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="button primary" disabled={rename.isPending}>
            {words.common.save}
          </button>
        </div>
      </form>
    </Modal>
  )
}
