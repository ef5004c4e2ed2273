import { useSpeech } from '@docent/widget/chat/words-context.tsx'
import { fill, type Language, type Words } from '../../../languages/words.ts'
import { metaOf, type Source } from '../api/records.ts'
import { formatHours, formatNumber } from '../format.ts'

/** How a page or a site is read: how often, and how far. It was said when it was added, and stays. */
export function ReadingTerms({ source }: { source: Source }) {
  const { words, language } = useSpeech()
  const t = words.sources
  const { crawl, refresh_hours } = metaOf(source)
  return (
    <dl className="card terms">
      <div>
        <dt>{t.refresh}</dt>
        <dd>{refreshOf(refresh_hours, t, language)}</dd>
      </div>
      {crawl && (
        <>
          <Limit term={t.maxPages} value={crawl.max_pages} />
          <Limit term={t.maxDepth} value={crawl.max_depth} />
          <Paths term={t.only} paths={crawl.include} />
          <Paths term={t.except} paths={crawl.exclude} />
        </>
      )}
    </dl>
  )
}

function refreshOf(hours: number | undefined, words: Words['sources'], language: Language): string {
  if (hours === undefined) return words.refreshNever
  if (hours === 24) return words.refreshDaily
  if (hours === 168) return words.refreshWeekly
  return fill(words.refreshAfter, { time: formatHours(hours, language) })
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
