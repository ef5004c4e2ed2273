import type { Citation } from '@docent/widget/chat/chat-api.ts'
import { CitationPanel } from '@docent/widget/chat/citation-panel.tsx'
import type { Turn } from '@docent/widget/chat/conversation.ts'
import { Icon } from '@docent/widget/chat/icons.tsx'
import { AnswerText } from '@docent/widget/chat/turn-view.tsx'
import { useSpeech, useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { readExcerpt, toChatMessage } from '../api/owner-chat.ts'
import { messagesQuery } from '../api/queries.ts'
import type { Message, MessageMeta } from '../api/records.ts'
import { formatMoment, formatNumber } from '../format.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useToasts } from '../parts/toasts.tsx'

interface OpenCitation {
  citation: Citation
  number: number
  answer: string
}

export function SessionPage() {
  const words = useWords()
  const { uuid, session } = useParams({ from: '/chatbots/$uuid/sessions/$session' })
  const messages = useQuery(messagesQuery(session))
  const [open, setOpen] = useState<OpenCitation>()
  return (
    <div className="page">
      <Link to="/chatbots/$uuid/sessions" params={{ uuid }} className="back">
        <Icon name="chevron" size={16} />
        {words.sessions.back}
      </Link>
      <PageHead title={words.sessions.transcript}>
        <a
          className="button"
          href={`/api/v1/session/${session}/messages/plain-text`}
          download={`${session}.txt`}
        >
          <Icon name="download" size={16} />
          {words.sessions.download}
        </a>
        <DeleteSession chatbot={uuid} session={session} />
      </PageHead>
      <Loaded query={messages}>
        {(list) => (
          <div className="card transcript">
            {list.map((message) => (
              <TranscriptTurn key={message.uuid} message={message} onCite={setOpen} />
            ))}
          </div>
        )}
      </Loaded>
      {open && (
        <CitationPanel
          {...open}
          readExcerpt={readExcerpt}
          sourceLink={undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

interface TranscriptTurnProps {
  message: Message
  onCite: (open: OpenCitation) => void
}

function TranscriptTurn({ message, onCite }: TranscriptTurnProps) {
  const { words, language } = useSpeech()
  const turn: Turn = { key: message.uuid, state: 'done', ...toChatMessage(message) }
  const meta = JSON.parse(message.meta_json) as MessageMeta
  const ms = formatNumber(Math.round(meta.timings_ms?.total ?? 0), language)
  return (
    <article className="turn">
      <h2 className="visually-hidden">{words.chat.you}</h2>
      <p className="question" dir="auto">
        {turn.question}
      </p>
      <h2 className="visually-hidden">{words.chat.answer}</h2>
      <div className="answer" dir="auto">
        <AnswerText turn={turn} onCite={onCite} />
        {turn.error !== '' && <p className="notice danger">{turn.error}</p>}
      </div>
      <p className="source-facts transcript-facts">
        {formatMoment(message.created_at, language)}
        {meta.model_used && ` · ${fill(words.sessions.model, { model: meta.model_used, ms })}`}
        {turn.rating && (
          <span className={turn.rating === 'up' ? 'badge good' : 'badge danger'}>
            <Icon name={turn.rating} size={14} />
            {turn.rating === 'up' ? words.chat.helpful : words.chat.notHelpful}
          </span>
        )}
      </p>
    </article>
  )
}

function DeleteSession({ chatbot, session }: { chatbot: string; session: string }) {
  const words = useWords()
  const [isAsking, setIsAsking] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { tellFailure } = useToasts()
  const remove = useMutation({
    mutationFn: () => post(`/session/${session}/delete`),
    onSuccess: async () => {
      await navigate({ to: '/chatbots/$uuid/sessions', params: { uuid: chatbot } })
      await queries.invalidateQueries({ queryKey: ['conversations', chatbot] })
    },
    onError: tellFailure,
  })
  return (
    <>
      <button type="button" className="button danger" onClick={() => setIsAsking(true)}>
        <Icon name="trash" size={16} />
        {words.common.delete}
      </button>
      {isAsking && (
        <Confirm
          title={words.sessions.delete}
          question={words.sessions.deleteAsk}
          action={words.common.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
