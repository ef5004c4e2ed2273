import { fill, isolated } from '@docent/words/words.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { chatbotsQuery } from '../api/queries.ts'
import type { Chatbot } from '../api/records.ts'
import { DeleteButton } from '../forms/delete-button.tsx'
import { useWords } from '../words-context.tsx'

export function DeleteChatbot({ chatbot }: { chatbot: Chatbot }) {
  const words = useWords().chatbots
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <DeleteButton
      label={words.delete}
      title={words.delete}
      question={fill(words.deleteAsk, { name: isolated(chatbot.name) })}
      className="self-start"
      remove={() => call('DELETE', `/chatbot/${chatbot.uuid}/delete`)}
      onRemoved={async () => {
        // Unsaved changes are deleted with the chatbot.
        await navigate({ to: '/chatbots', ignoreBlocker: true })
        // Going back must not show cached data of the deleted chatbot.
        queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === chatbot.uuid })
        await queries.invalidateQueries(chatbotsQuery)
      }}
    />
  )
}
