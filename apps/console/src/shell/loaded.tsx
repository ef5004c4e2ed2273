import { type ReactNode, useState } from 'react'
import { useSpeech } from '../words-context.tsx'
import { reasonOf } from './explain-error.ts'

interface LoadedProps<Data> {
  query: {
    data: Data | undefined
    error: unknown
    errorUpdateCount: number
    refetch: () => unknown
  }
  children: (data: Data) => ReactNode
}

/** What a query brought; until then a placeholder, and when it failed the reason with a second try. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const speech = useSpeech()
  const words = speech.words.common
  // It stays while the query is tried again: otherwise it would come and go, and be read out each time.
  const [lastError, setLastError] = useState(query.error)
  if (query.error && query.error !== lastError) setLastError(query.error)
  if (query.data !== undefined) return children(query.data)
  if (query.errorUpdateCount > 0) {
    return (
      <div className="notice danger" role="alert">
        <span dir="auto">{reasonOf(lastError, speech)}</span>
        <button type="button" className="button small" onClick={() => void query.refetch()}>
          {words.retry}
        </button>
      </div>
    )
  }
  return (
    <div className="stack" aria-busy="true">
      <span className="visually-hidden">{words.loading}</span>
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}
