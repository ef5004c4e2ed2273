import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { Switch } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { linesOf } from './lines.ts'
import { NumberField, SelectField, TextField } from './text-field.tsx'

const withScheme = (address: string) =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`

/** Adds web pages, or whole sites. */
export function PageDialog({ chatbot, onClose }: { chatbot: string; onClose: () => void }) {
  const words = useWords()
  const t = words.sources
  const [addresses, setAddresses] = useState('')
  const [isSite, setIsSite] = useState(false)
  const [maxPages, setMaxPages] = useState(100)
  const [include, setInclude] = useState('')
  const [exclude, setExclude] = useState('')
  const [refreshHours, setRefreshHours] = useState(0)
  const queries = useQueryClient()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const add = useMutation({
    mutationFn: async () => {
      const crawl = { max_pages: maxPages, include: linesOf(include), exclude: linesOf(exclude) }
      const rest = linesOf(addresses)
      while (rest.length > 0 && isOpen.current) {
        await post(`/chatbot/${chatbot}/data-source/url`, {
          url: withScheme(rest[0]!),
          ...(isSite && { crawl }),
          ...(refreshHours > 0 && { refresh_hours: refreshHours }),
        })
        // What is added is not sent again when a later one is refused and corrected.
        rest.shift()
        setAddresses(rest.join('\n'))
      }
    },
    onSuccess: () => {
      // Another one may be open by now.
      if (isOpen.current) onClose()
    },
    onSettled: () => queries.invalidateQueries(sourcesQuery(chatbot)),
  })
  return (
    <FormDialog title={t.addPage} task={add} submit={words.common.add} onClose={onClose}>
      <TextField
        label={t.address}
        hint={t.addressHint}
        placeholder="https://"
        rows={2}
        isRequired
        isCode
        sendsOnEnter
        value={addresses}
        onChange={setAddresses}
      />
      <Switch label={t.crawl} hint={t.crawlHint} isOn={isSite} onChange={setIsSite} />
      {isSite && (
        <>
          <NumberField label={t.maxPages} max={10_000} value={maxPages} onChange={setMaxPages} />
          <details>
            <summary>{t.whichPages}</summary>
            <div className="stack">
              <TextField label={t.only} rows={2} isCode value={include} onChange={setInclude} />
              <TextField
                label={t.except}
                hint={t.pathsHint}
                rows={2}
                isCode
                value={exclude}
                onChange={setExclude}
              />
            </div>
          </details>
        </>
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
    </FormDialog>
  )
}
