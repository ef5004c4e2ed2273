import { fill } from '@docent/words/words.ts'
import { hasFailed, metaOf, type Source } from '../api/records.ts'
import { useWords } from '../words-context.tsx'

/** A source's status, with the number of pages or passages so far. */
export function SourceStatus({ source }: { source: Source }) {
  const words = useWords().sources
  if (hasFailed(source)) return <span className="badge danger">{words.failed}</span>
  if (source.status === 'success') return <span className="badge good">{words.ready}</span>
  const steps: Record<string, string> = {
    await: words.waiting,
    extracting: words.reading,
    chunking: words.splitting,
    embedding: words.indexing,
  }
  const { progress } = metaOf(source)
  const counted = progress?.of === 'passages' ? words.passagesDone : words.pagesDone
  return (
    <span className="badge busy">
      <span className="spinner" aria-hidden="true" />
      {steps[source.status]}
      {progress && ` · ${fill(counted, { done: progress.done, found: progress.found })}`}
    </span>
  )
}
