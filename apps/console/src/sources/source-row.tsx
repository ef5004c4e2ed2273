import { Icon, type IconName } from '@docent/widget/chat/parts/icons.tsx'
import { fill } from '@docent/words/words.ts'
import { Link } from '@tanstack/react-router'
import { hasFailed, isWorking, metaOf, type Source } from '../api/records.ts'
import { formatWhen } from '../format.ts'
import { Facts } from '../forms/facts.tsx'
import { afterFailure } from '../shell/after-failure.ts'
import { useSpeech } from '../words-context.tsx'
import { pageCountOf } from './page-counts.ts'
import { failureOf } from './source-failure.ts'
import { SourceMenu } from './source-menu.tsx'
import { sizeOf } from './source-size.ts'
import { SourceStatus } from './source-status.tsx'
import type { SourcesView } from './sources-view.ts'

const ICONS: Record<Source['type'], IconName> = { link: 'globe', qa: 'question', upload: 'file' }

interface SourceRowProps {
  chatbot: string
  source: Source
  /** The list's filters, for the way back. */
  view: SourcesView
  isSelected: boolean
  onToggle: () => void
  onDelete: () => void
}

export function SourceRow(props: SourceRowProps) {
  const { chatbot, source, view, isSelected, onToggle, onDelete } = props
  const speech = useSpeech()
  const words = speech.words.sources
  const meta = metaOf(source)
  const { progress } = meta
  const next = afterFailure(source, speech)
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
          search={view}
          className="source-title"
          dir="auto"
        >
          {source.title}
        </Link>
        {hasFailed(source) && meta.error ? (
          <>
            <p className="source-error" dir="auto">
              {failureOf(meta, speech)}
            </p>
            {next && <p className="source-facts">{next}</p>}
          </>
        ) : (
          <SourceFacts source={source} />
        )}
        {isWorking(source) && progress && (
          <progress
            className="source-progress"
            value={progress.percent}
            max={100}
            aria-label={source.title}
          />
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
    pageCountOf(source, words, language),
    ...sizeOf(source, words, language),
    formatWhen(source.modified_at, language),
  ]
  return (
    <p className="source-facts">
      <Facts facts={facts} />
    </p>
  )
}
