import { fill, isolated } from '@docent/words/words.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { post } from '../api/client.ts'
import { webhooksQuery } from '../api/queries.ts'
import type { Webhook } from '../api/records.ts'
import { DeleteButton } from '../forms/delete-button.tsx'
import { useWords } from '../words-context.tsx'

export function DeleteWebhook({ chatbot, webhook }: { chatbot: string; webhook: Webhook }) {
  const words = useWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <DeleteButton
      label={words.common.delete}
      of={webhook.url}
      title={words.webhooks.delete}
      question={fill(words.webhooks.deleteAsk, { url: isolated(webhook.url) })}
      className="small"
      remove={() => post(`/webhook/${webhook.uuid}/delete`)}
      onRemoved={async () => {
        await navigate({ to: '/chatbots/$uuid/webhooks', params: { uuid: chatbot } })
        await queries.invalidateQueries(webhooksQuery(chatbot))
      }}
    />
  )
}
