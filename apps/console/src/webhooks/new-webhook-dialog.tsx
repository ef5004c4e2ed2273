import { WEBHOOK_EVENTS } from '@docent/contract/webhook-events.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { webhooksQuery } from '../api/queries.ts'
import { Checks } from '../forms/field.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { ShownOnce } from '../forms/shown-once.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useWords } from '../words-context.tsx'
import { eventTexts } from './webhook-events.ts'

export function NewWebhookDialog({ chatbot, onClose }: { chatbot: string; onClose: () => void }) {
  const words = useWords()
  const t = words.webhooks
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState([...WEBHOOK_EVENTS])
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      post<{ secret: string }>(`/chatbot/${chatbot}/webhook/create`, { url: url.trim(), events }),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(chatbot)),
  })
  if (create.data) {
    return (
      <ShownOnce
        title={url.trim()}
        hint={t.shownOnce}
        label={t.secret}
        value={create.data.secret}
        onClose={onClose}
      />
    )
  }
  const texts = eventTexts(words)
  return (
    <FormDialog
      title={t.new}
      task={create}
      submit={words.common.create}
      isIncomplete={events.length === 0}
      onClose={onClose}
    >
      <TextField
        label={words.sources.address}
        placeholder="https://"
        isRequired
        isCode
        maxLength={2_000}
        value={url}
        onChange={setUrl}
      />
      <Checks
        legend={t.events}
        choices={WEBHOOK_EVENTS.map((event) => [event, texts[event]])}
        chosen={events}
        onChange={setEvents}
      />
    </FormDialog>
  )
}
