import { Icon } from '@docent/widget/chat/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { sourcesQuery } from '../api/queries.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { PageDialog } from '../parts/page-dialog.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PairDialog } from '../parts/pair-dialog.tsx'
import { SourceList } from '../parts/source-list.tsx'
import { useWords } from '../words-context.tsx'

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
          {words.pair}
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
