import { Icon } from '@docent/widget/chat/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { webhooksQuery } from '../api/queries.ts'
import type { Webhook } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { DeleteWebhook } from '../parts/delete-webhook.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NewWebhookDialog } from '../parts/new-webhook-dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { eventTexts } from '../parts/webhook-events.ts'
import { useSpeech, useWords } from '../words-context.tsx'

export function WebhooksPage() {
  const words = useWords()
  const { uuid } = useParams({ from: '/chatbots/$uuid/webhooks' })
  const webhooks = useQuery(webhooksQuery(uuid))
  const [isAdding, setIsAdding] = useState(false)
  const t = words.webhooks
  return (
    <div className="page">
      <PageHead title={words.shell.webhooks} lead={t.lead}>
        <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
          <Icon name="plus" size={16} />
          {t.new}
        </button>
      </PageHead>
      <Loaded query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="hook" title={t.empty} hint={t.emptyHint} />
          ) : (
            <ul className="card list rows">
              {list.map((webhook) => (
                <WebhookRow key={webhook.uuid} chatbot={uuid} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <NewWebhookDialog chatbot={uuid} onClose={() => setIsAdding(false)} />}
    </div>
  )
}

function WebhookRow({ chatbot, webhook }: { chatbot: string; webhook: Webhook }) {
  const { words, language } = useSpeech()
  const texts = eventTexts(words)
  return (
    <li className="source-row">
      <span className="source-icon">
        <Icon name="hook" />
      </span>
      <div className="source-main">
        <Link
          to="/chatbots/$uuid/webhooks/$webhook"
          params={{ uuid: chatbot, webhook: webhook.uuid }}
          className="source-title"
          dir="ltr"
        >
          {webhook.url}
        </Link>
        <p className="source-facts">
          {[
            ...webhook.events.map((event) => texts[event]),
            formatWhen(webhook.created_at, language),
          ].join(' · ')}
        </p>
      </div>
      <DeleteWebhook chatbot={chatbot} webhook={webhook} />
    </li>
  )
}
