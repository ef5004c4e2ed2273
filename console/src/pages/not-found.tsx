import { useWords } from '@docent/widget/chat/words-context.tsx'
import { Link } from '@tanstack/react-router'
import { PageHead } from '../parts/page-head.tsx'

export function NotFound() {
  const words = useWords().common
  return (
    <div className="page">
      <PageHead title={words.notFound} />
      <Link to="/chatbots" className="button self-start">
        {words.toChatbots}
      </Link>
    </div>
  )
}
