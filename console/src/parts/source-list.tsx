import { Icon } from '@docent/widget/chat/icons.tsx'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { sourcesQuery } from '../api/queries.ts'
import { hasFailed, type Source } from '../api/records.ts'
import { Confirm } from './confirm.tsx'
import { Filters } from './filters.tsx'
import { SourceRow } from './source-row.tsx'
import { useToasts } from './toasts.tsx'

type Filter = 'all' | Source['type'] | 'failed'

const matches: Record<Filter, (source: Source) => boolean> = {
  all: () => true,
  upload: ({ type }) => type === 'upload',
  link: ({ type }) => type === 'link',
  qa: ({ type }) => type === 'qa',
  failed: hasFailed,
}

export function SourceList({ chatbot, sources }: { chatbot: string; sources: Source[] }) {
  const words = useWords()
  const t = words.sources
  const [filter, setFilter] = useState<Filter>('all')
  // The last one that matched is gone, and with it the button of its filter.
  if (filter !== 'all' && !sources.some(matches[filter])) setFilter('all')
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim().toLocaleLowerCase())
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setIsDeleting] = useState(false)

  const shown = useMemo(
    () =>
      sources
        .filter(matches[filter])
        .filter(({ title, file_name }) =>
          `${title} ${file_name}`.toLocaleLowerCase().includes(wanted),
        )
        .toReversed(),
    [sources, filter, wanted],
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

  const texts: [Filter, string][] = [
    ['all', t.all],
    ['upload', t.files],
    ['link', t.pages],
    ['qa', t.pairs],
    ['failed', t.failed],
  ]
  const filters = texts
    .map(([value, text]): [Filter, string, number] => [
      value,
      text,
      sources.filter(matches[value]).length,
    ])
    .filter(([value, , count]) => count > 0 || value === 'all')
  return (
    <section aria-label={t.title}>
      <div className="list-tools">
        <Filters label={t.title} value={filter} choices={filters} onChange={setFilter} />
        <label className="search">
          <Icon name="search" size={16} />
          <input
            type="search"
            placeholder={words.common.search}
            aria-label={words.common.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
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
