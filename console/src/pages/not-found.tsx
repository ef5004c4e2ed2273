import { useWords } from '@docent/widget/chat/words-context.tsx'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/empty-state.tsx'

export function NotFound() {
  const words = useWords().common
  return (
    <EmptyState icon="search" title={words.notFound}>
      <Link to="/chatbots" className="button">
        {words.toChatbots}
      </Link>
    </EmptyState>
  )
}
