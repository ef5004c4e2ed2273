import { Icon } from '@docent/widget/chat/icons.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { call } from '../api/client.ts'
import { chatbotsQuery } from '../api/queries.ts'
import type { Chatbot } from '../api/records.ts'
import { Confirm } from './confirm.tsx'
import { useToasts } from './toasts.tsx'

export function DeleteChatbot({ chatbot }: { chatbot: Chatbot }) {
  const words = useWords().chatbots
  const [isAsking, setIsAsking] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { tellFailure } = useToasts()
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/chatbot/${chatbot.uuid}/delete`),
    onSuccess: async () => {
      // What was not saved of it is gone with it.
      await navigate({ to: '/chatbots', ignoreBlocker: true })
      await queries.invalidateQueries(chatbotsQuery)
    },
    onError: tellFailure,
  })
  return (
    <>
      <button type="button" className="button danger self-start" onClick={() => setIsAsking(true)}>
        <Icon name="trash" size={16} />
        {words.delete}
      </button>
      {isAsking && (
        <Confirm
          title={words.delete}
          question={fill(words.deleteAsk, { name: chatbot.name })}
          action={words.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
