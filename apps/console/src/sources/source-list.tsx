import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { fill, isolated, type Words } from '@docent/words/words.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { isWorking, type Source } from '../api/records.ts'
import { Filters } from '../conversations/filters.tsx'
import { Confirm } from '../forms/confirm.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { focusPage } from '../shell/focus-page.ts'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'
import { SourceRow } from './source-row.tsx'
import {
  MATCHES,
  type SourceFilter,
  type SourcesView,
  searchedText,
  sourcesView,
} from './sources-view.ts'

export function SourceList({ chatbot, sources }: { chatbot: string; sources: Source[] }) {
  const words = useWords()
  const t = words.sources
  const { view, show } = useSourcesView()
  // The last matching source may be deleted, and its filter button with it.
  const filter = view.filter && sources.some(MATCHES[view.filter]) ? view.filter : 'all'
  const shown = useShownSources(sources, filter, view.search ?? '')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = shown.filter(({ uuid }) => selected.has(uuid))
  const [isDeleting, setIsDeleting] = useState(false)
  const queries = useQueryClient()
  const finishDeletion = async () => {
    setSelected(new Set())
    setIsDeleting(false)
    await queries.invalidateQueries(sourcesQuery(chatbot))
    focusPage()
  }
  const retry = useRetry(chatbot, () => setSelected(new Set()))

  return (
    <section aria-label={t.title}>
      <div className="list-tools">
        <Filters
          label={t.title}
          value={filter}
          choices={filterChoices(sources, t)}
          onChange={(filter) => show({ filter })}
        />
        <SearchField value={view.search} onChange={(search) => show({ search })} />
      </div>
      <div className="card list">
        <ListHead
          shown={shown}
          chosen={chosen}
          isRetrying={retry.isPending}
          onSelect={setSelected}
          onRetry={(sources) => retry.mutate(sources)}
          onDelete={() => setIsDeleting(true)}
        />
        {shown.length === 0 && <p className="text-ink-soft nothing">{t.nothingFound}</p>}
        <ul>
          {shown.map((source) => (
            <SourceRow
              key={source.uuid}
              chatbot={chatbot}
              source={source}
              view={view}
              isSelected={selected.has(source.uuid)}
              onToggle={() => setSelected(toggled(selected, source.uuid))}
              onDelete={() => {
                setSelected(new Set([source.uuid]))
                setIsDeleting(true)
              }}
            />
          ))}
        </ul>
      </div>
      {isDeleting && (
        <Confirm
          title={words.common.delete}
          question={
            chosen.length === 1
              ? fill(t.deleteOne, { title: isolated(chosen[0]!.title) })
              : fill(t.deleteAsk, { count: chosen.length })
          }
          action={words.common.delete}
          act={() => post('/data-sources/delete', { uuids: chosen.map(({ uuid }) => uuid) })}
          onDone={finishDeletion}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </section>
  )
}

interface ListHeadProps {
  shown: Source[]
  chosen: Source[]
  isRetrying: boolean
  onSelect: (uuids: ReadonlySet<string>) => void
  onRetry: (sources: Source[]) => void
  onDelete: () => void
}

function ListHead(props: ListHeadProps) {
  const { shown, chosen, isRetrying, onSelect, onRetry, onDelete } = props
  const words = useWords()
  const t = words.sources
  const readable = chosen.filter((source) => !isWorking(source))
  const areAllChosen = shown.length > 0 && chosen.length === shown.length
  return (
    <div className="list-head">
      <label className="check">
        <input
          type="checkbox"
          checked={areAllChosen}
          onChange={() => onSelect(new Set(areAllChosen ? [] : shown.map(({ uuid }) => uuid)))}
        />
        {chosen.length > 0 ? fill(t.selected, { count: chosen.length }) : t.selectAll}
      </label>
      {chosen.length > 0 && (
        <div className="button-row">
          {readable.length > 0 && (
            <button
              type="button"
              className="button small"
              // `disabled` would take the keyboard focus from users who need to retry.
              aria-disabled={isRetrying}
              onClick={() => {
                if (!isRetrying) onRetry(readable)
              }}
            >
              <Icon name="again" size={16} />
              {t.refreshNow}
            </button>
          )}
          <button type="button" className="button small danger" onClick={onDelete}>
            <Icon name="trash" size={16} />
            {words.common.delete}
          </button>
        </div>
      )}
    </div>
  )
}

type FilterChoice = [value: SourceFilter, text: string, count: number]

/** Filters with the number of matching sources. Filters without a match are left out. */
function filterChoices(sources: Source[], words: Words['sources']): FilterChoice[] {
  const texts: [SourceFilter, string][] = [
    ['all', words.all],
    ['upload', words.files],
    ['link', words.pages],
    ['qa', words.pairs],
    ['failed', words.failed],
  ]
  return texts
    .map(([value, text]): FilterChoice => [value, text, sources.filter(MATCHES[value]).length])
    .filter(([value, , count]) => count > 0 || value === 'all')
}

function toggled(selected: ReadonlySet<string>, uuid: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(uuid)) next.add(uuid)
  return next
}

/** The matching sources, newest first. */
function useShownSources(sources: Source[], filter: SourceFilter, search: string): Source[] {
  const wanted = useDeferredValue(search.trim().toLocaleLowerCase())
  const searched = useMemo(
    () => sources.map((source) => ({ source, text: searchedText(source) })),
    [sources],
  )
  return useMemo(
    () =>
      searched
        .filter(({ source, text }) => MATCHES[filter](source) && text.includes(wanted))
        .map(({ source }) => source)
        .toReversed(),
    [searched, filter, wanted],
  )
}

/** Pages are fetched again in a single request. Files and pairs need a request each. */
function useRetry(chatbot: string, onRestarted: () => void) {
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  return useMutation({
    mutationFn: async (sources: Source[]) => {
      const pages = sources.filter(({ type }) => type === 'link')
      const others = sources.filter(({ type }) => type !== 'link')
      if (pages.length > 0) {
        await post('/data-sources/url/re-scrape', { uuids: pages.map(({ uuid }) => uuid) })
      }
      for (const { uuid } of others) await post(`/data-source/${uuid}/retry`)
    },
    onSuccess: onRestarted,
    onError: tellFailure,
    onSettled: () => queries.invalidateQueries(sourcesQuery(chatbot)),
  })
}

/** The URL holds the filters, so that they survive a visit to a source. */
function useSourcesView() {
  const view = useSearch({ from: '/chatbots/$uuid/sources' })
  const navigate = useNavigate({ from: '/chatbots/$uuid/sources' })
  const show = (change: SourcesView) => {
    void navigate({
      search: (before) => sourcesView({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  }
  return { view, show }
}
