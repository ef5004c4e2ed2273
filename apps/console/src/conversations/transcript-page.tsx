import { messageMeta } from '@docent/client/http/json-fields.ts'
import type { Citation } from '@docent/widget/chat/chat-api.ts'
import { CitationPanel } from '@docent/widget/chat/citation-panel.tsx'
import type { Turn } from '@docent/widget/chat/conversation.ts'
import { withoutMarkers } from '@docent/widget/chat/number-markers.ts'
import { AnswerFacts } from '@docent/widget/chat/parts/answer-facts.tsx'
import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { AnswerText } from '@docent/widget/chat/turn-view.tsx'
import { fill } from '@docent/words/words.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { readExcerpt, toChatMessage } from '../api/owner-chat.ts'
import { messagesQuery, unansweredQuery } from '../api/queries.ts'
import type { Message } from '../api/records.ts'
import { formatMoment, formatTime } from '../format.ts'
import { DeleteButton } from '../forms/delete-button.tsx'
import { reasonOfStored } from '../shell/explain-error.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { PairDialog } from '../sources/pair-dialog.tsx'
import { SourceLink } from '../sources/source-link.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import type { ConversationsView } from './conversations-view.ts'

interface OpenCitation {
  citation: Citation
  number: number
  answer: string
}

export function SessionPage() {
  const words = useWords()
  const { uuid, session } = useParams({ from: '/chatbots/$uuid/sessions/$session' })
  const view = useSearch({ from: '/chatbots/$uuid/sessions/$session' })
  const { language } = useSpeech()
  const messages = useQuery(messagesQuery(session))
  const [open, setOpen] = useState<OpenCitation>()
  const [correcting, setCorrecting] = useState<Message>()
  const lead = messages.data?.[0] && [
    formatMoment(messages.data[0].created_at, language),
    fill(words.sessions.messages, { count: messages.data.length }),
  ]
  return (
    <div className="page">
      <Link to="/chatbots/$uuid/sessions" params={{ uuid }} search={view} className="back">
        <Icon name="chevron" size={16} />
        {words.sessions.back}
      </Link>
      <PageHead title={words.sessions.transcript} lead={lead?.join(' · ')}>
        <a
          className="button"
          href={`/api/v1/session/${session}/messages/plain-text`}
          download={`${session}.txt`}
        >
          <Icon name="download" size={16} />
          {words.sessions.download}
        </a>
        <DeleteSession chatbot={uuid} session={session} view={view} />
      </PageHead>
      <Loaded query={messages}>
        {(list) => (
          <div className="card transcript">
            {list.map((message) => (
              <TranscriptTurn
                key={message.uuid}
                message={message}
                onCite={setOpen}
                onCorrect={() => setCorrecting(message)}
              />
            ))}
          </div>
        )}
      </Loaded>
      {open && (
        <CitationPanel
          {...open}
          readExcerpt={readExcerpt}
          sourceLink={(citation) => <SourceLink chatbot={uuid} citation={citation} />}
          onClose={() => setOpen(undefined)}
        />
      )}
      {correcting && (
        <CorrectDialog
          chatbot={uuid}
          message={correcting}
          onClose={() => setCorrecting(undefined)}
        />
      )}
    </div>
  )
}

/** Saves the question with a better answer as a pair, which answers from then on. */
function CorrectDialog({
  chatbot,
  message,
  onClose,
}: {
  chatbot: string
  message: Message
  onClose: () => void
}) {
  const words = useWords().unanswered
  const queries = useQueryClient()
  const { tell, tellFailure } = useToasts()
  const settle = useMutation({
    mutationFn: () => post('/messages/settle', { uuids: [message.uuid] }),
    onSuccess: () => queries.invalidateQueries(unansweredQuery(chatbot)),
    onError: tellFailure,
  })
  return (
    <PairDialog
      chatbot={chatbot}
      question={message.query}
      answer={wasAnswered(message) ? withoutMarkers(message.response) : ''}
      onAdded={() => {
        settle.mutate()
        tell(words.added)
      }}
      onClose={onClose}
    />
  )
}

function wasAnswered({ meta_json, error_message }: Message): boolean {
  return messageMeta({ meta_json }).answered !== false && error_message === ''
}

interface TranscriptTurnProps {
  message: Message
  onCite: (open: OpenCitation) => void
  onCorrect: () => void
}

function TranscriptTurn({ message, onCite, onCorrect }: TranscriptTurnProps) {
  const { words, language } = useSpeech()
  const chatMessage = toChatMessage(message)
  const turn: Turn = { key: message.uuid, state: 'done', ...chatMessage }
  const isAnswered = wasAnswered(message)
  const comment = message.feedback_json && JSON.parse(message.feedback_json).comment
  return (
    <article className="turn">
      <h2 className="visually-hidden">{words.sessions.visitor}</h2>
      <p className="question" dir="auto">
        {turn.question}
      </p>
      <h2 className="visually-hidden">{words.chat.answer}</h2>
      <div className="answer" dir="auto">
        <AnswerText turn={turn} onCite={onCite} />
        {turn.error !== '' && (
          <p className="notice danger" dir="auto">
            {reasonOfStored(chatMessage, { words, language })}
          </p>
        )}
      </div>
      <div className="source-facts transcript-facts">
        <span>{formatTime(message.created_at, language)}</span>
        {turn.facts && <AnswerFacts facts={turn.facts} />}
        {!isAnswered && <span className="badge">{words.sessions.unanswered}</span>}
        {turn.rating && (
          <span className={turn.rating === 'up' ? 'badge good' : 'badge danger'}>
            <Icon name={turn.rating} size={14} />
            {turn.rating === 'up' ? words.chat.helpful : words.chat.notHelpful}
          </span>
        )}
        <button
          type="button"
          className="button small quiet"
          onClick={onCorrect}
          aria-label={`${isAnswered ? words.sessions.correct : words.unanswered.answer}: ${turn.question}`}
        >
          <Icon name="edit" size={14} />
          {isAnswered ? words.sessions.correct : words.unanswered.answer}
        </button>
      </div>
      {comment && (
        <blockquote className="comment" dir="auto">
          {comment}
        </blockquote>
      )}
    </article>
  )
}

interface DeleteSessionProps {
  chatbot: string
  session: string
  view: ConversationsView
}

function DeleteSession({ chatbot, session, view }: DeleteSessionProps) {
  const words = useWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <DeleteButton
      label={words.common.delete}
      title={words.sessions.delete}
      question={words.sessions.deleteAsk}
      remove={() => post(`/session/${session}/delete`)}
      onRemoved={async () => {
        await navigate({
          to: '/chatbots/$uuid/sessions',
          params: { uuid: chatbot },
          search: view,
        })
        await queries.invalidateQueries({ queryKey: ['conversations', chatbot] })
      }}
    />
  )
}
