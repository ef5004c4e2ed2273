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

/** Shows a query's data, a placeholder while it loads, or the error with a retry button. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const speech = useSpeech()
  const words = speech.words.common
  // Keep the error during a retry. Otherwise it would flicker, and screen readers would read it each time.
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
