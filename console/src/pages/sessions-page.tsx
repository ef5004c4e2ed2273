import { Icon } from '@docent/widget/chat/icons.tsx'
import { useSpeech, useWords } from '@docent/widget/chat/words-context.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { fill } from '../../../languages/words.ts'
import { CONVERSATIONS_A_PAGE, conversationsPage } from '../api/queries.ts'
import type { ConversationRecord } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'

export function SessionsPage() {
  const words = useWords()
  const { uuid } = useParams({ from: '/chatbots/$uuid/sessions' })
  const conversations = useInfiniteQuery({
    queryKey: ['conversations', uuid],
    queryFn: ({ pageParam }) => conversationsPage(uuid, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) =>
      page.length < CONVERSATIONS_A_PAGE ? undefined : page.at(-1)!.uuid,
  })
  const list = conversations.data?.pages.flat()
  return (
    <div className="page">
      <PageHead title={words.sessions.title} lead={words.sessions.lead} />
      {list?.length === 0 && (
        <EmptyState icon="sessions" title={words.sessions.empty} hint={words.sessions.emptyHint} />
      )}
      {list && list.length > 0 && (
        <ul className="card list rows">
          {list.map((conversation) => (
            <ConversationRow key={conversation.uuid} chatbot={uuid} conversation={conversation} />
          ))}
        </ul>
      )}
      {conversations.hasNextPage && (
        <button
          type="button"
          className="button self-start"
          onClick={() => void conversations.fetchNextPage()}
        >
          {words.common.loadMore}
        </button>
      )}
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
        <span className="badge good">
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
