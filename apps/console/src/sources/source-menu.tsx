import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { sourceQuery, sourcesQuery } from '../api/queries.ts'
import { isWorking, type Source } from '../api/records.ts'
import { Menu, MenuItem, MenuRule } from '../forms/menu.tsx'
import { useToasts } from '../shell/toasts.tsx'
import { useWords } from '../words-context.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { ReadingDialog } from './reading-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

interface SourceMenuProps {
  chatbot: string
  source: Source
  onDelete: () => void
}

export function SourceMenu({ chatbot, source, onDelete }: SourceMenuProps) {
  const words = useWords()
  const [editing, setEditing] = useState<'title' | 'pair' | 'reading'>()
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
        {source.type === 'link' && (
          <MenuItem onSelect={() => setEditing('reading')}>{words.sources.editReading}</MenuItem>
        )}
        {!isWorking(source) && (
          <MenuItem onSelect={() => retry.mutate()}>{words.sources.refreshNow}</MenuItem>
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
      {editing === 'reading' && (
        <ReadingDialog chatbot={chatbot} source={source} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}
