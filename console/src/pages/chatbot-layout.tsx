import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { ApiError } from '../../../client/src/errors.ts'
import { chatbotQuery } from '../api/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { NotFound } from './not-found.tsx'

/** The pages of one chatbot are shown when it is known to be there. */
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
