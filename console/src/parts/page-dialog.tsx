import { Modal } from '@docent/widget/chat/modal.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { Field, Switch } from './field.tsx'
import { reasonOf } from './toasts.tsx'

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
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <Field label={t.address}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              inputMode="url"
              placeholder="https://"
              required
              maxLength={2_048}
              dir="ltr"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Switch label={t.crawl} hint={t.crawlHint} isOn={isSite} onChange={setIsSite} />
        {isSite && (
          <Field label={t.maxPages}>
            {(ids) => (
              <input
                {...ids}
                type="number"
                className="input"
                min={1}
                max={10_000}
                required
                value={maxPages}
                onChange={(event) => setMaxPages(event.target.valueAsNumber)}
              />
            )}
          </Field>
        )}
        <Field label={t.refresh}>
          {(ids) => (
            <select
              {...ids}
              className="input"
              value={refreshHours}
              onChange={(event) => setRefreshHours(Number(event.target.value))}
            >
              <option value={0}>{t.refreshNever}</option>
              <option value={24}>{t.refreshDaily}</option>
              <option value={168}>{t.refreshWeekly}</option>
            </select>
          )}
        </Field>
        {add.error && (
          <p className="notice danger" role="alert">
            {reasonOf(add.error, words.common.offline)}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="button primary" disabled={add.isPending}>
            {words.common.add}
          </button>
        </div>
      </form>
    </Modal>
  )
}
