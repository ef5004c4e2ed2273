import { ApiError } from '@docent/client/http/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { chatbotQuery } from '../api/queries.ts'
import { Loaded } from '../shell/loaded.tsx'
import { NotFound } from '../shell/not-found.tsx'

/** Loads the chatbot before any of its pages. */
export function ChatbotLayout() {
  const { uuid } = useParams({ from: '/chatbots/$uuid' })
  const chatbot = useQuery(chatbotQuery(uuid))
  if (chatbot.error instanceof ApiError && chatbot.error.status === 404) return <NotFound />
  if (chatbot.data) return <Outlet />
  return (
    <div className="page">
      <Loaded query={chatbot}>{() => null}</Loaded>
    </div>
  )
}
