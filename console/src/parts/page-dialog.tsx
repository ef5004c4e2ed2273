import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { Switch } from './field.tsx'
import { DialogActions, Form } from './form.tsx'
import { NumberField, SelectField, TextField } from './text-field.tsx'

/** Adds a web page, or a whole site. */
export function PageDialog({ chatbot, onClose }: { chatbot: string; onClose: () => void }) {
  const words = useWords()
  const t = words.sources
  const [url, setUrl] = useState('')
  const [isSite, setIsSite] = useState(false)
  const [maxPages, setMaxPages] = useState(100)
  const [refreshHours, setRefreshHours] = useState(0)
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: () =>
      post(`/chatbot/${chatbot}/data-source/url`, {
        url: /^https?:\/\//i.test(url.trim()) ? url.trim() : `https://${url.trim()}`,
        ...(isSite && { crawl: { max_pages: maxPages } }),
        ...(refreshHours > 0 && { refresh_hours: refreshHours }),
      }),
    onSuccess: async () => {
      await queries.invalidateQueries(sourcesQuery(chatbot))
      onClose()
    },
  })
  return (
    <Modal title={t.addPage} onClose={onClose}>
      <Form
        task={add}
        onSubmit={() => add.mutate()}
        actions={
          <DialogActions submit={words.common.add} isDisabled={add.isPending} onCancel={onClose} />
        }
      >
        <TextField
          label={t.address}
          placeholder="https://"
          isRequired
          isCode
          maxLength={2_048}
          value={url}
          onChange={setUrl}
        />
        <Switch label={t.crawl} hint={t.crawlHint} isOn={isSite} onChange={setIsSite} />
        {isSite && (
          <NumberField label={t.maxPages} max={10_000} value={maxPages} onChange={setMaxPages} />
        )}
        <SelectField
          label={t.refresh}
          value={refreshHours}
          choices={[
            [0, t.refreshNever],
            [24, t.refreshDaily],
            [168, t.refreshWeekly],
          ]}
          onChange={setRefreshHours}
        />
      </Form>
    </Modal>
  )
}
