import { ApiError } from '@docent/client/http/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { metaOf, type Source } from '../api/records.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'

interface PairDialogProps {
  chatbot: string
  /** The pair to edit. Undefined for a new pair. */
  source?: Source
  /** Prefills the question. */
  question?: string
  /** Prefills the answer. */
  answer?: string
  onAdded?: () => void
  onClose: () => void
}

/** The source may already be deleted by another user. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

/** Adds or edits a pair. Editing creates a new pair and deletes the old pair. */
export function PairDialog(props: PairDialogProps) {
  const { chatbot, source, question: asked = '', answer: given = '', onAdded, onClose } = props
  const words = useWords()
  const before = source ? metaOf(source) : undefined
  const [question, setQuestion] = useState(before?.question ?? asked)
  const [answer, setAnswer] = useState(before?.answer ?? given)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      await post(`/chatbot/${chatbot}/data-source/qa`, { question, answer })
      if (source) await post(`/data-source/${source.uuid}/delete`).catch(unlessMissing)
    },
    onSuccess: async () => {
      await queries.invalidateQueries(sourcesQuery(chatbot))
      onAdded?.()
      onClose()
    },
  })
  const submit = source ? words.common.save : words.common.add
  return (
    <FormDialog title={words.sources.pair} task={save} submit={submit} onClose={onClose}>
      <TextField
        label={words.sources.question}
        isRequired
        maxLength={2_000}
        value={question}
        onChange={setQuestion}
      />
      <TextField
        label={words.sources.answer}
        hint={words.sources.answerHint}
        rows={6}
        isRequired
        maxLength={50_000}
        value={answer}
        onChange={setAnswer}
      />
    </FormDialog>
  )
}
