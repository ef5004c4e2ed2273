import { metaOf, type Source } from '../api/records.ts'
import { formatNumber } from '../format.ts'
import { useSpeech } from '../words-context.tsx'
import { refreshText } from './refresh-text.ts'

export function ReadingTerms({ source }: { source: Source }) {
  const speech = useSpeech()
  const t = speech.words.sources
  const { crawl, refresh_hours } = metaOf(source)
  return (
    <dl className="card terms">
      <div>
        <dt>{t.refresh}</dt>
        <dd>{refreshText(refresh_hours ?? 0, speech)}</dd>
      </div>
      {crawl && (
        <>
          <Limit term={t.maxPages} value={crawl.max_pages} />
          <Limit term={t.maxDepth} value={crawl.max_depth} />
          <Paths term={t.include} paths={crawl.include} />
          <Paths term={t.exclude} paths={crawl.exclude} />
        </>
      )}
    </dl>
  )
}

function Limit({ term, value }: { term: string; value: number | undefined }) {
  const { language } = useSpeech()
  if (value === undefined) return null
  return (
    <div>
      <dt>{term}</dt>
      <dd>{formatNumber(value, language)}</dd>
    </div>
  )
}

function Paths({ term, paths = [] }: { term: string; paths: string[] | undefined }) {
  if (paths.length === 0) return null
  return (
    <div>
      <dt>{term}</dt>
      {paths.map((path) => (
        <dd key={path}>
          <code dir="ltr">{path}</code>
        </dd>
      ))}
    </div>
  )
}
