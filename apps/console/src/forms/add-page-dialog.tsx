import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { crawlOf, RefreshField, SiteFields, USUAL_READING } from '../sources/reading-fields.tsx'
import { useWords } from '../words-context.tsx'
import { Switch } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { linesOf } from './lines.ts'
import { TextField } from './text-field.tsx'

const withScheme = (address: string) =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`

/** Adds web pages or whole sites. */
export function PageDialog({ chatbot, onClose }: { chatbot: string; onClose: () => void }) {
  const words = useWords()
  const t = words.sources
  const [addresses, setAddresses] = useState('')
  const [isSite, setIsSite] = useState(false)
  const [reading, setReading] = useState(USUAL_READING)
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
      const { refreshHours } = reading
      const rest = linesOf(addresses)
      while (rest.length > 0 && isOpen.current) {
        await post(`/chatbot/${chatbot}/data-source/url`, {
          url: withScheme(rest[0]!),
          ...(isSite && { crawl: crawlOf(reading) }),
          ...(refreshHours > 0 && { refresh_hours: refreshHours }),
        })
        // Do not send added addresses again when a later address is rejected and corrected.
        rest.shift()
        setAddresses(rest.join('\n'))
      }
    },
    onSuccess: () => {
      // The user may have closed this dialog and opened another.
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
      {isSite && <SiteFields reading={reading} onChange={setReading} />}
      <RefreshField reading={reading} onChange={setReading} />
    </FormDialog>
  )
}
