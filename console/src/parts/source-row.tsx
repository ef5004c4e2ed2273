import { Icon, type IconName } from '@docent/widget/chat/icons.tsx'
import { useSpeech, useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../languages/words.ts'
import { post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import { hasFailed, isWorking, metaOf, type Source } from '../api/records.ts'
import { formatBytes, formatNumber, formatWhen } from '../format.ts'
import { Menu, MenuItem, MenuRule } from './menu.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SourceStatus } from './source-status.tsx'
import { useToasts } from './toasts.tsx'

const ICONS: Record<Source['type'], IconName> = { link: 'globe', qa: 'question', upload: 'file' }

interface SourceRowProps {
  chatbot: string
  source: Source
  isSelected: boolean
  onToggle: () => void
  onDelete: () => void
}

export function SourceRow({ chatbot, source, isSelected, onToggle, onDelete }: SourceRowProps) {
  const words = useWords().sources
  const { error } = metaOf(source)
  return (
    <li className="source-row" data-selected={isSelected}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={onToggle}
        aria-label={fill(words.select, { title: source.title })}
      />
      <span className="source-icon">
        <Icon name={ICONS[source.type]} />
      </span>
      <div className="source-main">
        <Link
          to="/chatbots/$uuid/sources/$source"
          params={{ uuid: chatbot, source: source.uuid }}
          className="source-title"
          dir="auto"
        >
          {source.title}
        </Link>
        {hasFailed(source) && error ? (
          <p className="source-error">{error}</p>
        ) : (
          <SourceFacts source={source} />
        )}
      </div>
      <SourceStatus source={source} />
      <SourceMenu chatbot={chatbot} source={source} onDelete={onDelete} />
    </li>
  )
}

function SourceFacts({ source }: { source: Source }) {
  const { words, language } = useSpeech()
  const facts = [
    source.type === 'link' && metaOf(source).url !== source.title && metaOf(source).url,
    source.file_size > 0 && formatBytes(source.file_size, language),
    source.tokens > 0 &&
      fill(words.sources.tokens, { count: formatNumber(source.tokens, language) }),
    formatWhen(source.modified_at, language),
  ]
  return <p className="source-facts">{facts.filter(Boolean).join(' · ')}</p>
}

function SourceMenu({
  chatbot,
  source,
  onDelete,
}: Pick<SourceRowProps, 'chatbot' | 'source' | 'onDelete'>) {
  const words = useWords()
  const [editing, setEditing] = useState<'title' | 'pair'>()
  const queries = useQueryClient()
  const { tellFailure } = useToasts()
  const retry = useMutation({
    mutationFn: () => post(`/data-source/${source.uuid}/retry`),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries(sourcesQuery(chatbot)),
        queries.invalidateQueries(sourceQuery(source.uuid)),
      ]),
    onError: tellFailure,
  })
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="icon-button"
            aria-label={`${words.common.more}: ${source.title}`}
          >
            <Icon name="more" />
          </button>
        }
      >
        {source.type === 'qa' ? (
          <MenuItem onSelect={() => setEditing('pair')}>{words.common.edit}</MenuItem>
        ) : (
          <MenuItem onSelect={() => setEditing('title')}>{words.common.rename}</MenuItem>
        )}
        {!isWorking(source) && (
          <MenuItem onSelect={() => retry.mutate()}>{words.sources.retry}</MenuItem>
        )}
        <MenuRule />
        <MenuItem isDangerous onSelect={onDelete}>
          {words.common.delete}
        </MenuItem>
      </Menu>
      {editing === 'title' && (
        <RenameDialog chatbot={chatbot} source={source} onClose={() => setEditing(undefined)} />
      )}
      {editing === 'pair' && (
        <PairDialog chatbot={chatbot} source={source} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}
