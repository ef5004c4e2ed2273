import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import { deliveriesQuery } from '../api/queries.ts'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'

/** What comes of it is in the log of the webhook. */
export function SendTestButton({ webhook }: { webhook: string }) {
  const words = useWords().webhooks
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const send = useMutation({
    mutationFn: () => post(`/webhook/${webhook}/test`),
    onSuccess: () => queries.invalidateQueries(deliveriesQuery(webhook)),
    onError: tellFailure,
  })
  return (
    <button
      type="button"
      className="button small"
      // Not disabled, which would take the keyboard away from it.
      aria-disabled={send.isPending}
      onClick={() => {
        if (!send.isPending) send.mutate()
      }}
    >
      <Icon name="send" size={16} />
      {words.sendTest}
    </button>
  )
}
