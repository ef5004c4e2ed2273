import { Icon } from '@docent/widget/chat/icons.tsx'
import { useSpeech, useWords } from '@docent/widget/chat/words-context.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { type ConversationFilter, conversationsQuery } from '../api/queries.ts'
import type { ConversationRecord } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { MoreButton } from '../parts/more-button.tsx'
import { PageHead } from '../parts/page-head.tsx'

const FILTERS: Record<string, ConversationFilter> = {
  all: {},
  widget: { channel: 'widget' },
  share: { channel: 'share' },
  api: { channel: 'api' },
  up: { rating: 'up' },
  down: { rating: 'down' },
}

export function SessionsPage() {
  const words = useWords()
  const { uuid } = useParams({ from: '/chatbots/$uuid/sessions' })
  const [filter, setFilter] = useState('all')
  const conversations = useInfiniteQuery(conversationsQuery(uuid, FILTERS[filter]!))
  const isEmpty = conversations.data?.pages[0]?.length === 0
  const t = words.sessions
  return (
    <div className="page">
      <PageHead title={t.title} lead={t.lead} />
      {!(isEmpty && filter === 'all') && (
        <Filters
          label={t.title}
          value={filter}
          choices={[
            ['all', words.sources.all],
            ['widget', t.widget],
            ['share', t.share],
            ['api', t.api],
            ['up', words.chat.helpful],
            ['down', words.chat.notHelpful],
          ]}
          onChange={setFilter}
        />
      )}
      <Loaded query={conversations}>
        {({ pages }) =>
          isEmpty ? (
            <EmptyState
              icon="sessions"
              title={filter === 'all' ? t.empty : t.nothingFound}
              {...(filter === 'all' && { hint: t.emptyHint })}
            />
          ) : (
            <ul className="card list rows">
              {pages.flat().map((one) => (
                <ConversationRow key={one.uuid} chatbot={uuid} conversation={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={conversations} />
    </div>
  )
}

function ConversationRow({
  chatbot,
  conversation,
}: {
  chatbot: string
  conversation: ConversationRecord
}) {
  const { words, language } = useSpeech()
  const { uuid, first_question, channel, messages, rated_up, rated_down, modified_at } =
    conversation
  return (
    <li className="source-row">
      <div className="source-main">
        <Link
          to="/chatbots/$uuid/sessions/$session"
          params={{ uuid: chatbot, session: uuid }}
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
