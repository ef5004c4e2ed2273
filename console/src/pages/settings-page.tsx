import { Chat } from '@docent/widget/chat/chat.tsx'
import { Icon } from '@docent/widget/chat/icons.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ownerChat } from '../api/owner-chat.ts'
import { chatbotQuery, widgetQuery } from '../api/queries.ts'
import { DeleteChatbot } from '../parts/delete-chatbot.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SettingsForm } from '../parts/settings-form.tsx'
import { SourceLink } from '../parts/source-link.tsx'

/** The settings, and beside them the chatbot as it answers with them. */
export function SettingsPage() {
  const words = useWords().settings
  const { uuid } = useParams({ from: '/chatbots/$uuid/settings' })
  const { data: chatbot } = useSuspenseQuery(chatbotQuery(uuid))
  return (
    <div className="page wide">
      <PageHead title={words.title} lead={words.lead} />
      <div className="split">
        <div className="stack">
          <SettingsForm key={chatbot.uuid} chatbot={chatbot} />
          <DeleteChatbot chatbot={chatbot} />
        </div>
        <TestChat key={uuid} uuid={uuid} />
      </div>
    </div>
  )
}

function TestChat({ uuid }: { uuid: string }) {
  const words = useWords()
  const { data: widget } = useQuery(widgetQuery(uuid))
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another session
  const api = useMemo(() => ownerChat(uuid), [uuid, round])
  return (
    <section className="card test-chat" aria-labelledby="test-chat">
      <header className="test-chat-head">
        <h2 id="test-chat">{words.settings.test}</h2>
        <button type="button" className="button small quiet" onClick={() => setRound(round + 1)}>
          <Icon name="plus" size={16} />
          {words.chat.newChat}
        </button>
      </header>
      <Chat
        key={round}
        api={api}
        greeting={widget?.greeting || words.chat.greeting}
        suggestions={widget?.suggested_questions ?? []}
        sourceLink={(citation) => <SourceLink chatbot={uuid} citation={citation} />}
        note={words.settings.testHint}
      />
    </section>
  )
}
