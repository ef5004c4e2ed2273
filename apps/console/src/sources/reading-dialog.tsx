import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import { metaOf, type Source } from '../api/records.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'
import { crawlOf, type Reading, RefreshField, readingOf, SiteFields } from './reading-fields.tsx'

interface ReadingDialogProps {
  chatbot: string
  source: Source
  onClose: () => void
}

/** Changes how often a page or site is read, and the limits of the next crawl. */
export function ReadingDialog({ chatbot, source, onClose }: ReadingDialogProps) {
  const words = useWords()
  const [saved] = useState(() => readingOf(source))
  const [draft, setDraft] = useState(saved)
  const changes = changesOf(saved, draft)
  const queries = useQueryClient()
  const { tell } = useToasts()
  const save = useMutation({
    mutationFn: () => post(`/data-source/${source.uuid}/url/update`, changes),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries(sourcesQuery(chatbot)),
        queries.invalidateQueries(sourceQuery(source.uuid)),
      ])
      onClose()
      tell(words.common.saved)
    },
  })
  return (
    <FormDialog
      title={words.sources.editReading}
      task={save}
      submit={words.common.save}
      isIncomplete={Object.keys(changes).length === 0}
      onClose={onClose}
    >
      {metaOf(source).crawl && (
        <>
          <p className="text-ink-soft text-sm">{words.sources.editReadingLead}</p>
          <SiteFields reading={draft} onChange={setDraft} />
        </>
      )}
      <RefreshField reading={draft} onChange={setDraft} />
    </FormDialog>
  )
}

/** Returns only changed values, so that changes from another page are kept. */
function changesOf(saved: Reading, draft: Reading) {
  const before: Record<string, unknown> = crawlOf(saved)
  const limits = Object.entries(crawlOf(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return {
    ...(limits.length > 0 && { crawl: Object.fromEntries(limits) }),
    ...(draft.refreshHours !== saved.refreshHours && {
      refresh_hours: draft.refreshHours === 0 ? null : draft.refreshHours,
    }),
  }
}
