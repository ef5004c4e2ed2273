import { safeHref } from '@docent/widget/chat/markdown/parse-inline.ts'
import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill, isolated } from '@docent/words/words.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { get, post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import { hasFailed, metaOf, type Passage, type Source } from '../api/records.ts'
import { formatMoment } from '../format.ts'
import { Confirm } from '../forms/confirm.tsx'
import { Facts } from '../forms/facts.tsx'
import { MoreButton } from '../forms/more-button.tsx'
import { afterFailure } from '../shell/after-failure.ts'
import { focusPage } from '../shell/focus-page.ts'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useSpeech, useWords } from '../words-context.tsx'
import { pageCountsOf } from './page-counts.ts'
import { ReadingTerms } from './reading-terms.tsx'
import { failureOf } from './source-failure.ts'
import { SourceMenu } from './source-menu.tsx'
import { sizeOf } from './source-size.ts'
import { SourceStatus } from './source-status.tsx'
import { sourcesView } from './sources-view.ts'

const PASSAGES_A_PAGE = 100

/** Shows a source's passages and highlights the cited text. */
export function SourcePage() {
  const words = useWords()
  const { uuid, source: sourceId } = useParams({ from: '/chatbots/$uuid/sources/$source' })
  const view = sourcesView({ ...useSearch({ from: '/chatbots/$uuid/sources/$source' }) })
  const source = useQuery(sourceQuery(sourceId))
  const [isDeleting, setIsDeleting] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leadOn = async () => {
    await navigate({ to: '/chatbots/$uuid/sources', params: { uuid }, search: view })
    await queries.invalidateQueries(sourcesQuery(uuid))
    focusPage()
  }
  return (
    <div className="page">
      <Link to="/chatbots/$uuid/sources" params={{ uuid }} search={view} className="back">
        <Icon name="chevron" size={16} />
        {words.sources.back}
      </Link>
      <Loaded query={source}>
        {(found) => (
          <>
            <PageHead title={found.title}>
              <SourceStatus source={found} />
              <SourceMenu chatbot={uuid} source={found} onDelete={() => setIsDeleting(true)} />
            </PageHead>
            <SourceDetails source={found} />
            <Passages source={found} />
            {isDeleting && (
              <Confirm
                title={words.common.delete}
                question={fill(words.sources.deleteOne, { title: isolated(found.title) })}
                action={words.common.delete}
                act={() => post(`/data-source/${sourceId}/delete`)}
                onDone={leadOn}
                onClose={() => setIsDeleting(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function SourceDetails({ source }: { source: Source }) {
  const speech = useSpeech()
  const { words, language } = speech
  const meta = metaOf(source)
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const retry = useMutation({
    mutationFn: () => post(`/data-source/${source.uuid}/retry`),
    onSuccess: () => queries.invalidateQueries(sourceQuery(source.uuid)),
    onError: tellFailure,
  })
  const href = meta.url && safeHref(meta.url)
  const facts = [
    source.file_name,
    ...pageCountsOf(source, words, language),
    ...sizeOf(source, words, language),
    formatMoment(source.modified_at, language),
  ]
  return (
    <div className="stack">
      <p className="text-ink-soft text-sm wrap-anywhere">
        {href && (
          <>
            <a href={href} target="_blank" rel="noopener noreferrer" dir="ltr">
              {meta.url}
            </a>
            {' · '}
          </>
        )}
        <Facts facts={facts} />
      </p>
      {source.type === 'link' && <ReadingTerms source={source} />}
      {hasFailed(source) && (
        <div className="notice danger">
          <Icon name="warning" />
          <span dir="auto">
            {failureOf(meta, speech)} {afterFailure(source, speech)}
          </span>
          <button
            type="button"
            className="button small"
            // `disabled` would take the keyboard focus from users who need to retry.
            aria-disabled={retry.isPending}
            onClick={() => {
              if (!retry.isPending) retry.mutate()
            }}
          >
            {words.common.retry}
          </button>
        </div>
      )}
      {meta.page_errors && meta.page_errors.length > 0 && (
        <details className="card">
          <summary>
            {words.sources.pageErrors} ({meta.page_errors.length})
          </summary>
          <ul className="plain">
            {meta.page_errors.map(({ url, ...failure }) => (
              <li key={url} className="wrap-anywhere text-sm">
                <strong dir="ltr">{url}</strong>: <bdi>{failureOf(failure, speech)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Passages({ source }: { source: Source }) {
  const words = useWords()
  const cited = useSearch({ from: '/chatbots/$uuid/sources/$source' })
  const passages = useInfiniteQuery({
    queryKey: ['passages', source.uuid, source.modified_at],
    queryFn: ({ pageParam }) =>
      get<Passage[]>(
        `/data-source/${source.uuid}/passages?limit=${PASSAGES_A_PAGE}&after=${pageParam}`,
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PASSAGES_A_PAGE ? undefined : page.at(-1)!.id),
  })
  const list = passages.data?.pages.flat() ?? []
  const isThere = list.some((passage) => holds(passage, cited))
  const { hasNextPage, fetchNextPage, isFetching } = passages
  const { start } = cited

  // The cited passage may be on a later page: load pages until it appears.
  useEffect(() => {
    if (start !== undefined && !isThere && hasNextPage && !isFetching) void fetchNextPage()
  }, [start, isThere, hasNextPage, isFetching, fetchNextPage])

  return (
    <section className="stack" aria-labelledby="passages">
      <div>
        <h2 id="passages">{words.sources.passages}</h2>
        <p className="text-ink-soft text-sm">{words.sources.passagesLead}</p>
      </div>
      <Loaded query={passages}>
        {() =>
          list.length === 0 ? (
            <p className="text-ink-soft">{words.sources.noPassages}</p>
          ) : (
            <ol className="passages">
              {list.map((passage, index) => (
                <PassageCard
                  key={passage.id}
                  passage={passage}
                  number={index + 1}
                  cited={holds(passage, cited) ? cited : undefined}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <MoreButton query={passages} />
    </section>
  )
}

interface PassageCardProps {
  passage: Passage
  number: number
  /** The cited range of the text. */
  cited: CitedRange | undefined
}

function PassageCard({ passage, number, cited }: PassageCardProps) {
  const isCited = cited !== undefined
  const words = useWords()
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCited) card.current?.scrollIntoView({ block: 'center' })
  }, [isCited])
  return (
    <li ref={card} className="card passage-card" data-cited={isCited}>
      <p className="passage-head">
        <span>{number}</span>
        {passage.page !== null && <span>{fill(words.chat.page, { page: passage.page })}</span>}
        {passage.page_url !== '' && <span className="wrap-anywhere">{passage.page_url}</span>}
        {isCited && <strong>{words.sources.cited}</strong>}
      </p>
      <p className="passage-text" dir="auto">
        {cited ? <MarkedText passage={passage} cited={cited} /> : passage.text}
      </p>
    </li>
  )
}

function MarkedText({ passage, cited }: { passage: Passage; cited: CitedRange }) {
  const from = (cited.start ?? 0) - passage.start
  const to = (cited.end ?? 0) - passage.start
  return (
    <>
      {passage.text.slice(0, from)}
      <mark className="cited">{passage.text.slice(from, to)}</mark>
      {passage.text.slice(to)}
    </>
  )
}

interface CitedRange {
  revision?: string
  start?: number
  end?: number
}

/** A citation may span passages. It belongs to the passage that it starts in. */
function holds(passage: Passage, { revision, start }: CitedRange): boolean {
  if (start === undefined || passage.revision !== revision) return false
  return passage.start <= start && start < passage.end
}
