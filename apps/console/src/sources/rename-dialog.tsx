import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import type { Source } from '../api/records.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

interface RenameDialogProps {
  chatbot: string
  source: Source
  onClose: () => void
}

export function RenameDialog({ chatbot, source, onClose }: RenameDialogProps) {
  const words = useWords()
  const [title, setTitle] = useState(source.title)
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: () => post(`/data-source/${source.uuid}/update`, { title }),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries(sourcesQuery(chatbot)),
        queries.invalidateQueries(sourceQuery(source.uuid)),
      ])
      onClose()
    },
  })
  return (
    <FormDialog
      title={words.common.rename}
      task={rename}
      submit={words.common.save}
      onClose={onClose}
    >
      <TextField
        label={words.sources.newTitle}
        isRequired
        maxLength={255}
        value={title}
        onChange={setTitle}
      />
    </FormDialog>
  )
}
