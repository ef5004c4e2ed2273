import { Link } from '@tanstack/react-router'
import { useWords } from '../words-context.tsx'
import { PageHead } from './page-head.tsx'

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
