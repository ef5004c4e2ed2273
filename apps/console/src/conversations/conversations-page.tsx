import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill } from '@docent/words/words.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { conversationsQuery } from '../api/queries.ts'
import type { ConversationRecord } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { EmptyState } from '../forms/empty-state.tsx'
import { MoreButton } from '../forms/more-button.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import {
  type ConversationsView,
  conversationsView,
  isDay,
  LONGEST_SEARCH,
  toQueryParams,
  useDebouncedText,
} from './conversations-view.ts'
import { DownloadConversations } from './download-conversations.tsx'
import { Filters } from './filters.tsx'

export function SessionsPage() {
  const words = useWords().sessions
  const { uuid } = useParams({ from: '/chatbots/$uuid/sessions' })
  const inAddress = useSearch({ from: '/chatbots/$uuid/sessions' })
  const view = conversationsView({ ...inAddress, search: useDebouncedText(inAddress.search) })
  const conversations = useInfiniteQuery(conversationsQuery(uuid, toQueryParams(view)))
  const isEmpty = conversations.data?.pages[0]?.length === 0
  const isWhole = Object.keys(view).length === 0
  return (
    <div className="page">
      <PageHead title={words.title} lead={words.lead}>
        {!isEmpty && <DownloadConversations chatbot={uuid} view={inAddress} />}
      </PageHead>
      {!(isEmpty && isWhole) && <ConversationTools view={inAddress} />}
      <Loaded query={conversations}>
        {({ pages }) =>
          isEmpty ? (
            <EmptyState
              icon="sessions"
              title={isWhole ? words.empty : words.nothingFound}
              hint={isWhole ? words.emptyHint : words.nothingFoundHint}
            />
          ) : (
            <ul className="card list rows">
              {pages.flat().map((one) => (
                <ConversationRow key={one.uuid} chatbot={uuid} conversation={one} view={view} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={conversations} />
    </div>
  )
}

function ConversationTools({ view }: { view: ConversationsView }) {
  const words = useWords()
  const t = words.sessions
  const navigate = useNavigate({ from: '/chatbots/$uuid/sessions' })
  const show = (change: Partial<Record<keyof ConversationsView, string>>) =>
    void navigate({
      search: (before) => conversationsView({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="list-tools">
      <Filters
        label={t.title}
        value={view.filter ?? 'all'}
        choices={[
          ['all', words.sources.all],
          ['widget', t.widget],
          ['share', t.share],
          ['api', t.api],
          ['up', words.chat.helpful],
          ['down', words.chat.notHelpful],
        ]}
        onChange={(filter) => show({ filter })}
      />
      <SearchField
        value={view.search}
        maxLength={LONGEST_SEARCH}
        onChange={(search) => show({ search })}
      />
      <div className="days">
        <DayField label={t.from} value={view.from} onChange={(from) => show({ from })} />
        <DayField label={t.to} value={view.to} onChange={(to) => show({ to })} />
      </div>
    </div>
  )
}

interface DayFieldProps {
  label: string
  value: string | undefined
  onChange: (day: string) => void
}

function DayField({ label, value = '', onChange }: DayFieldProps) {
  // A half-typed year is a date in antiquity. Keep it in the field, but do not filter by it.
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <label className="day">
      {label}
      <input
        type="date"
        className="input"
        value={typed}
        onChange={({ target: { value: day } }) => {
          setTyped(day)
          if (day === '' || isDay(day)) onChange(day)
        }}
      />
    </label>
  )
}

interface ConversationRowProps {
  chatbot: string
  conversation: ConversationRecord
  view: ConversationsView
}

function ConversationRow({ chatbot, conversation, view }: ConversationRowProps) {
  const { words, language } = useSpeech()
  const { uuid, first_question, channel, messages, rated_up, rated_down, modified_at } =
    conversation
  return (
    <li className="source-row">
      <div className="source-main">
        <Link
          to="/chatbots/$uuid/sessions/$session"
          params={{ uuid: chatbot, session: uuid }}
          search={view}
          className="source-title"
          dir="auto"
        >
          {first_question}
        </Link>
        <p className="source-facts">
          {[
            words.sessions[channel],
            fill(words.sessions.messages, { count: messages }),
            formatWhen(modified_at, language),
          ].join(' · ')}
        </p>
      </div>
      {rated_up > 0 && (
        <span className="badge good counts">
          <Icon name="up" size={14} />
          <span className="visually-hidden">{words.chat.helpful}:</span> {rated_up}
        </span>
      )}
      {rated_down > 0 && (
        <span className="badge danger">
          <Icon name="down" size={14} />
          <span className="visually-hidden">{words.chat.notHelpful}:</span> {rated_down}
        </span>
      )}
    </li>
  )
}
