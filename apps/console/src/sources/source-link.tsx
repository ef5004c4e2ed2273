import type { Citation } from '@docent/widget/chat/chat-api.ts'
import { Link } from '@tanstack/react-router'
import { useWords } from '../words-context.tsx'

/** Links a citation to its passage in the source. */
export function SourceLink({ chatbot, citation }: { chatbot: string; citation: Citation }) {
  const words = useWords().chat
  if (!citation.place) return null
  const { source, revision, start, end } = citation.place
  return (
    <Link
      to="/chatbots/$uuid/sources/$source"
      params={{ uuid: chatbot, source }}
      search={{ revision, start, end }}
      className="button"
    >
      {words.openSource}
    </Link>
  )
}
