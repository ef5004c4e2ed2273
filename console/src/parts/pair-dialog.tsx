import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { metaOf, type Source } from '../api/records.ts'
import { Field } from './field.tsx'
import { reasonOf } from './toasts.tsx'

interface PairDialogProps {
  chatbot: string
  /** The pair to be changed, if it is not a new one. */
  source?: Source
  /** What was asked, when a question is being answered. */
  question?: string
  onAdded?: () => void
  onClose: () => void
}

/** Writes a question with its answer. A pair is changed by putting a new one in its place. */
export function PairDialog({
  chatbot,
  source,
  question: asked = '',
  onAdded,
  onClose,
}: PairDialogProps) {
  const words = useWords()
  const before = source ? metaOf(source) : undefined
  const [question, setQuestion] = useState(before?.question ?? asked)
  const [answer, setAnswer] = useState(before?.answer ?? '')
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      await post(`/chatbot/${chatbot}/data-source/qa`, { question, answer })
      if (source) await post(`/data-source/${source.uuid}/delete`)
    },
    onSuccess: async () => {
      await queries.invalidateQueries(sourcesQuery(chatbot))
      onAdded?.()
      onClose()
    },
  })
  return (
    <Modal title={words.sources.pair} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field label={words.sources.question}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              required
              maxLength={2_000}
              dir="auto"
              value={question}
              onChange={(event) => setQuestion(event.target.value)}
            />
          )}
        </Field>
        <Field label={words.sources.answer} hint={words.sources.answerHint}>
          {(ids) => (
            <textarea
              {...ids}
              className="input"
              rows={6}
              required
              maxLength={50_000}
              dir="auto"
              value={answer}
              onChange={(event) => setAnswer(event.target.value)}
            />
          )}
        </Field>
        {save.error && (
          <p className="notice danger" role="alert">
            {reasonOf(save.error, words.common.offline)}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="button primary" disabled={save.isPending}>
            {source ? words.common.save : words.common.add}
          </button>
        </div>
      </form>
    </Modal>
  )
}
