import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { Modal } from '@docent/widget/chat/parts/modal.tsx'
import { fill } from '@docent/words/words.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { chatbotsQuery } from '../api/queries.ts'
import type { Chatbot } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { NewChatbotForm } from './new-chatbot-form.tsx'
import { VisibilityBadge } from './visibility-badge.tsx'

export function ChatbotsPage() {
  const words = useWords().chatbots
  const chatbots = useQuery(chatbotsQuery)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <div className="page">
      <Loaded query={chatbots}>
        {(list) =>
          list.length === 0 ? (
            <FirstChatbot />
          ) : (
            <>
              <PageHead title={words.title} lead={words.lead}>
                <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
                  <Icon name="plus" size={16} />
                  {words.new}
                </button>
              </PageHead>
              <ul className="cards">
                {list.toReversed().map((chatbot) => (
                  <ChatbotCard key={chatbot.uuid} chatbot={chatbot} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {isAdding && (
        <Modal title={words.new} onClose={() => setIsAdding(false)}>
          <NewChatbotForm />
        </Modal>
      )}
    </div>
  )
}

function FirstChatbot() {
  const words = useWords().chatbots
  return (
    <div className="first">
      <PageHead title={words.first} lead={words.firstLead} />
      <section className="card">
        <NewChatbotForm isFirst />
      </section>
    </div>
  )
}

function ChatbotCard({ chatbot }: { chatbot: Chatbot }) {
  const { words, language } = useSpeech()
  return (
    <li className="card chatbot-card">
      <div className="chatbot-card-head">
        <span className="monogram" aria-hidden="true">
          {[...chatbot.name][0]?.toUpperCase()}
        </span>
        <VisibilityBadge visibility={chatbot.meta.visibility} />
      </div>
      <h2 dir="auto">
        <Link to="/chatbots/$uuid/settings" params={{ uuid: chatbot.uuid }} className="card-link">
          {chatbot.name}
        </Link>
      </h2>
      <p className="text-ink-soft text-sm">
        {chatbot.meta.model} ·{' '}
        {fill(words.chatbots.changed, { when: formatWhen(chatbot.modified_at, language) })}
      </p>
    </li>
  )
}
