import { Icon } from '@docent/widget/chat/icons.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import type { Source } from '../api/records.ts'
import { Confirm } from './confirm.tsx'
import { Filters } from './filters.tsx'
import { SourceRow } from './source-row.tsx'
import {
  MATCHES,
  type SourceFilter,
  type SourcesView,
  searchedText,
  sourcesView,
} from './sources-view.ts'
import { useToasts } from './toasts.tsx'

export function SourceList({ chatbot, sources }: { chatbot: string; sources: Source[] }) {
  const words = useWords()
  const t = words.sources
  const { view, search, show } = useSourcesView()
  // The last one that matched may be gone, and with it the button of its filter.
  const filter = view.filter && sources.some(MATCHES[view.filter]) ? view.filter : 'all'
  const wanted = useDeferredValue(search.trim().toLocaleLowerCase())
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setIsDeleting] = useState(false)

  const searched = useMemo(
    () => sources.map((source) => ({ source, text: searchedText(source) })),
    [sources],
  )
  const shown = useMemo(
    () =>
      searched
        .filter(({ source, text }) => MATCHES[filter](source) && text.includes(wanted))
        .map(({ source }) => source)
        .toReversed(),
    [searched, filter, wanted],
  )
  const chosen = shown.filter(({ uuid }) => selected.has(uuid))
  const toggle = (uuid: string) => {
    const next = new Set(selected)
    if (!next.delete(uuid)) next.add(uuid)
    setSelected(next)
  }
  const areAllChosen = shown.length > 0 && chosen.length === shown.length

  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const remove = useMutation({
    mutationFn: (uuids: string[]) => post('/data-sources/delete', { uuids }),
    onSuccess: async () => {
      setSelected(new Set())
      setIsDeleting(false)
      await queries.invalidateQueries(sourcesQuery(chatbot))
    },
    onError: tellFailure,
  })

  const texts: [SourceFilter, string][] = [
    ['all', t.all],
    ['upload', t.files],
    ['link', t.pages],
    ['qa', t.pairs],
    ['failed', t.failed],
  ]
  const filters = texts
    .map(([value, text]): [SourceFilter, string, number] => [
      value,
      text,
      sources.filter(MATCHES[value]).length,
    ])
    .filter(([value, , count]) => count > 0 || value === 'all')
  return (
    <section aria-label={t.title}>
      <div className="list-tools">
        <Filters
          label={t.title}
          value={filter}
          choices={filters}
          onChange={(filter) => show({ filter })}
        />
        <label className="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            placeholder={words.common.search}
            aria-label={words.common.search}
            value={search}
            onChange={(event) => show({ search: event.target.value })}
          />
        </label>
      </div>
      <div className="card list">
        <div className="list-head">
          <label className="check">
            <input
              type="checkbox"
              checked={areAllChosen}
              onChange={() =>
                setSelected(areAllChosen ? new Set() : new Set(shown.map(({ uuid }) => uuid)))
              }
            />
            {chosen.length > 0 ? fill(t.selected, { count: chosen.length }) : t.selectAll}
          </label>
          {chosen.length > 0 && (
            <button
              type="button"
              className="button small danger"
              onClick={() => setIsDeleting(true)}
            >
              <Icon name="trash" size={16} />
              {words.common.delete}
            </button>
          )}
        </div>
        {shown.length === 0 && <p className="text-ink-soft nothing">{t.nothingFound}</p>}
        <ul>
          {shown.map((source) => (
            <SourceRow
              key={source.uuid}
              chatbot={chatbot}
              source={source}
              view={view}
              isSelected={selected.has(source.uuid)}
              onToggle={() => toggle(source.uuid)}
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
              ? fill(t.deleteOne, { title: chosen[0]!.title })
              : fill(t.deleteAsk, { count: chosen.length })
          }
          action={words.common.delete}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(chosen.map(({ uuid }) => uuid))}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </section>
  )
}

/** What is shown stands in the address, so that it is the same after a look at a source. */
function useSourcesView() {
  const view = useSearch({ from: '/chatbots/$uuid/sources' })
  const navigate = useNavigate({ from: '/chatbots/$uuid/sources' })
  // What is typed has to be in its field at once; the address follows a moment later.
  const [search, setSearch] = useState(view.search ?? '')
  const isCleared = view.search === undefined
  useEffect(() => {
    if (isCleared) setSearch('')
  }, [isCleared])
  const show = (change: SourcesView) => {
    if (change.search !== undefined) setSearch(change.search)
    void navigate({
      search: (before) => sourcesView({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  }
  return { view, search, show }
}
