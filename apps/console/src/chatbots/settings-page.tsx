import { Chat } from '@docent/widget/chat/chat.tsx'
import type { ChatMessage } from '@docent/widget/chat/chat-api.ts'
import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { answeringQuery, chatbotQuery, widgetQuery } from '../api/queries.ts'
import { beginTestChat, goBackToTestChat, testChatsOf } from '../api/test-chats.ts'
import { reasonInChat, reasonOfStored } from '../shell/explain-error.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { SourceLink } from '../sources/source-link.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { DeleteChatbot } from './delete-chatbot.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The settings with a test chat that uses them. */
export function SettingsPage() {
  const words = useWords().settings
  const { uuid } = useParams({ from: '/chatbots/$uuid/settings' })
  const { data: chatbot } = useSuspenseQuery(chatbotQuery(uuid))
  const answering = useQuery(answeringQuery(uuid))
  return (
    <div className="page wide">
      <PageHead title={words.title} lead={words.lead} />
      <div className="split">
        <div className="stack">
          <Loaded key={uuid} query={answering}>
            {(loaded) => <SettingsForm key={uuid} chatbot={chatbot} answering={loaded} />}
          </Loaded>
          <DeleteChatbot chatbot={chatbot} />
        </div>
        <TestChat key={uuid} uuid={uuid} />
      </div>
    </div>
  )
}

function TestChat({ uuid }: { uuid: string }) {
  const { words, language } = useSpeech()
  const { data: widget } = useQuery(widgetQuery(uuid))
  const [{ shown, previous, draft }, setChats] = useState(() => testChatsOf(uuid))
  const api = useMemo(
    () => ({
      ...shown,
      explain: (error: unknown) => reasonInChat(error, { words, language }),
      explainStored: (message: ChatMessage) => reasonOfStored(message, { words, language }),
    }),
    [shown, words, language],
  )
  return (
    <section className="card test-chat" aria-labelledby="test-chat">
      <header className="test-chat-head">
        <h2 id="test-chat">{words.settings.test}</h2>
        <div className="button-row">
          {previous && (
            <button
              type="button"
              className="button small quiet"
              onClick={() => setChats(goBackToTestChat(uuid, previous))}
            >
              {words.settings.previousChat}
            </button>
          )}
          <button
            type="button"
            className="button small quiet"
            onClick={() => setChats(beginTestChat(uuid))}
          >
            <Icon name="plus" size={16} />
            {words.chat.newChat}
          </button>
        </div>
      </header>
      <Chat
        api={api}
        greeting={widget?.greeting || words.chat.greeting}
        suggestions={widget?.suggested_questions ?? []}
        sourceLink={(citation) => <SourceLink chatbot={uuid} citation={citation} />}
        note={words.settings.testHint}
        draft={draft}
      />
    </section>
  )
}
