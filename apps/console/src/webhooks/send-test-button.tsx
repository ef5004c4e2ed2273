import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import { deliveriesQuery } from '../api/queries.ts'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'

/** The webhook's log shows the result. */
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
      // `disabled` would take the keyboard focus from the button.
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
