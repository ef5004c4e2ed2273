import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { webhooksQuery } from '../api/queries.ts'
import type { Webhook } from '../api/records.ts'
import { Confirm } from './confirm.tsx'
import { useToasts } from './toasts.tsx'

export function DeleteWebhook({ chatbot, webhook }: { chatbot: string; webhook: Webhook }) {
  const words = useWords()
  const [isAsking, setIsAsking] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { tellFailure } = useToasts()
  const remove = useMutation({
    mutationFn: () => post(`/webhook/${webhook.uuid}/delete`),
    onSuccess: async () => {
      setIsAsking(false)
      await navigate({ to: '/chatbots/$uuid/webhooks', params: { uuid: chatbot } })
      await queries.invalidateQueries(webhooksQuery(chatbot))
    },
    onError: tellFailure,
  })
  return (
    <>
      <button
        type="button"
        className="button small danger"
        onClick={() => setIsAsking(true)}
        aria-label={`${words.common.delete}: ${webhook.url}`}
      >
        {words.common.delete}
      </button>
      {isAsking && (
        <Confirm
          title={words.webhooks.delete}
          question={fill(words.webhooks.deleteAsk, { url: webhook.url })}
          action={words.common.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
