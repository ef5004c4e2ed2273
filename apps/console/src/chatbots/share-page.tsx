import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill } from '@docent/words/words.ts'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { post } from '../api/client.ts'
import { chatbotQuery, chatbotsQuery, widgetQuery } from '../api/queries.ts'
import type { Chatbot, Visibility, Widget } from '../api/records.ts'
import { CopyField } from '../forms/copy-field.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'
import { WidgetForm } from './widget-form.tsx'

export function SharePage() {
  const words = useWords().share
  const { uuid } = useParams({ from: '/chatbots/$uuid/share' })
  const { data: chatbot } = useSuspenseQuery(chatbotQuery(uuid))
  const widget = useQuery(widgetQuery(uuid))
  const [draft, setDraft] = useState<Widget>()
  const isPrivate = chatbot.meta.visibility === 'private'
  return (
    <div className="page wide">
      <PageHead title={words.title} lead={words.lead} />
      {isPrivate && <PrivateNotice chatbot={chatbot} />}
      <div className="split">
        <div className="stack">
          {!isPrivate && <Addresses chatbot={chatbot} />}
          <Loaded query={widget}>
            {(settings) => (
              <WidgetForm key={uuid} chatbot={uuid} widget={settings} onDraft={setDraft} />
            )}
          </Loaded>
        </div>
        {!isPrivate && draft && <Preview chatbot={chatbot} draft={draft} />}
      </div>
    </div>
  )
}

function PrivateNotice({ chatbot }: { chatbot: Chatbot }) {
  const words = useWords().share
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const open = useMutation({
    mutationFn: (visibility: Visibility) =>
      post<Chatbot>(`/chatbot/${chatbot.uuid}/update`, { visibility }),
    onSuccess: (updated) => {
      queries.setQueryData(chatbotQuery(chatbot.uuid).queryKey, updated)
      void queries.invalidateQueries(chatbotsQuery)
    },
    onError: tellFailure,
  })
  return (
    <div className="notice">
      <span>{words.isPrivate}</span>
      <button type="button" className="button" onClick={() => open.mutate('hybrid')}>
        {words.makeHybrid}
      </button>
      <button type="button" className="button primary" onClick={() => open.mutate('public')}>
        {words.makePublic}
      </button>
    </div>
  )
}

function Addresses({ chatbot }: { chatbot: Chatbot }) {
  const words = useWords().share
  const link = `${location.origin}/c/${chatbot.uuid}`
  const script = `<script src="${location.origin}/widget.js" data-chatbot="${chatbot.uuid}" async></script>`
  return (
    <>
      <section className="card stack">
        <h2>{words.link}</h2>
        {chatbot.meta.visibility === 'public' ? (
          <>
            <p className="text-ink-soft text-sm">{words.linkHint}</p>
            <CopyField label={words.link} value={link} />
            <a className="button self-start" href={link} target="_blank" rel="noreferrer">
              {words.open}
              <Icon name="external" size={16} />
            </a>
          </>
        ) : (
          <p className="text-ink-soft text-sm">{words.noLink}</p>
        )}
      </section>
      <section className="card stack">
        <h2>{words.embed}</h2>
        <p className="text-ink-soft text-sm">{words.embedHint}</p>
        <CopyField label={words.embed} value={script} />
        <p className="text-ink-soft text-sm">{fill(words.embedCsp, { origin: location.origin })}</p>
      </section>
    </>
  )
}

/** The real visitor page. Messages tell it the unsaved appearance. */
function Preview({ chatbot, draft }: { chatbot: Chatbot; draft: Widget }) {
  const words = useWords().share
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setIsReady] = useState(false)

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data?.docent === 'ready') setIsReady(true)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])

  useEffect(() => {
    if (!isReady) return
    const look = { ...draft, uuid: chatbot.uuid, title: draft.title.trim() || chatbot.name }
    frame.current?.contentWindow?.postMessage({ docent: 'look', look }, location.origin)
  }, [isReady, draft, chatbot])

  return (
    <section className="card preview" aria-label={words.preview}>
      <iframe ref={frame} title={words.preview} src={`/widget/${chatbot.uuid}?preview`} />
      <p className="field-hint preview-hint">{words.previewHint}</p>
    </section>
  )
}
