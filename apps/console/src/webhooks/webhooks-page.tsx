import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { webhooksQuery } from '../api/queries.ts'
import type { Webhook } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { EmptyState } from '../forms/empty-state.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import { eventTexts } from './webhook-events.ts'

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
