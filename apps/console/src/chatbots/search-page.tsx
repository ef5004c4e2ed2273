import { fill } from '@docent/words/words.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { searchQuery } from '../api/queries.ts'
import type { FoundPassage } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { EmptyState } from '../forms/empty-state.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useSpeech, useWords } from '../words-context.tsx'

/** Shows the passages found for a question, to explain missing or odd answers. */
export function SearchPage() {
  const words = useWords()
  const { uuid } = useParams({ from: '/chatbots/$uuid/search' })
  const { question: asked = '' } = useSearch({ from: '/chatbots/$uuid/search' })
  const [question, setQuestion] = useState(asked)
  const found = useQuery(searchQuery(uuid, asked))
  const navigate = useNavigate()
  const find = () =>
    void navigate({
      to: '/chatbots/$uuid/search',
      params: { uuid },
      search: { question: question.trim() },
    })
  return (
    <div className="page">
      <PageHead title={words.shell.search} lead={words.search.lead} />
      <search>
        <form
          className="search-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (found.isFetching) return
            // Search again for the same question, because the sources may have changed.
            if (question.trim() === asked) void found.refetch()
            else find()
          }}
        >
          <input
            type="search"
            className="input"
            aria-label={words.sources.question}
            placeholder={words.chat.placeholder}
            value={question}
            maxLength={32_000}
            required
            dir="auto"
            onChange={(event) => setQuestion(event.target.value)}
          />
          <button type="submit" className="button primary" aria-disabled={found.isFetching}>
            {words.search.find}
          </button>
        </form>
      </search>
      {asked === '' ? (
        <EmptyState icon="search" title={words.search.start} hint={words.search.startHint} />
      ) : (
        <Loaded query={found}>{(passages) => <Found chatbot={uuid} passages={passages} />}</Loaded>
      )}
    </div>
  )
}

function Found({ chatbot, passages }: { chatbot: string; passages: FoundPassage[] }) {
  const words = useWords().search
  if (passages.length === 0)
    return <EmptyState icon="search" title={words.nothing} hint={words.nothingHint} />
  const best = passages[0]!.score
  return (
    <ol className="passages">
      {passages.map((passage, index) => (
        <FoundCard
          key={`${passage.data_source_uuid} ${passage.start} ${passage.page}`}
          chatbot={chatbot}
          passage={passage}
          number={index + 1}
          share={best > 0 ? Math.max(0, passage.score / best) : 0}
        />
      ))}
    </ol>
  )
}

interface FoundCardProps {
  chatbot: string
  passage: FoundPassage
  number: number
  /** The score relative to the best score. */
  share: number
}

function FoundCard({ chatbot, passage, number, share }: FoundCardProps) {
  const { words, language } = useSpeech()
  const { data_source_uuid: source, revision, start, end, title, page, score } = passage
  return (
    <li className="card passage-card">
      <p className="passage-head">
        <span>{number}</span>
        <Link
          to="/chatbots/$uuid/sources/$source"
          params={{ uuid: chatbot, source }}
          search={{ revision, start, end }}
          className="passage-source"
          dir="auto"
        >
          {title}
        </Link>
        {page !== null && <span>{fill(words.chat.page, { page })}</span>}
        <span className="passage-score">
          <progress value={share} max={1} aria-hidden="true" />
          {fill(words.search.score, { score: formatNumber(score, language) })}
        </span>
      </p>
      <p className="passage-text" dir="auto">
        {passage.text}
      </p>
    </li>
  )
}
