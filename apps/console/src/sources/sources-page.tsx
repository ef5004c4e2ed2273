import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { sourcesQuery } from '../api/queries.ts'
import { PageDialog } from '../forms/add-page-dialog.tsx'
import { EmptyState } from '../forms/empty-state.tsx'
import { Loaded } from '../shell/loaded.tsx'
import { PageHead } from '../shell/page-head.tsx'
import { useWords } from '../words-context.tsx'
import { DropZone } from './drop-zone.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { SourceList } from './source-list.tsx'

export function SourcesPage() {
  const words = useWords().sources
  const { uuid } = useParams({ from: '/chatbots/$uuid/sources' })
  const sources = useQuery(sourcesQuery(uuid))
  const [adding, setAdding] = useState<'page' | 'pair'>()
  return (
    <div className="page">
      <PageHead title={words.title} lead={words.lead}>
        <button type="button" className="button" onClick={() => setAdding('page')}>
          <Icon name="globe" size={16} />
          {words.addPage}
        </button>
        <button type="button" className="button" onClick={() => setAdding('pair')}>
          <Icon name="question" size={16} />
          {words.addPair}
        </button>
      </PageHead>
      <DropZone chatbot={uuid} />
      <Loaded query={sources}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="sources" title={words.empty} hint={words.emptyHint} />
          ) : (
            <SourceList chatbot={uuid} sources={list} />
          )
        }
      </Loaded>
      {adding === 'page' && <PageDialog chatbot={uuid} onClose={() => setAdding(undefined)} />}
      {adding === 'pair' && <PairDialog chatbot={uuid} onClose={() => setAdding(undefined)} />}
    </div>
  )
}
