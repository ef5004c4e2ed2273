import { fill } from '@docent/words/words.ts'
import { memo, useCallback, useMemo, useRef } from 'react'
import type { Citation } from './chat-api.ts'
import type { Conversation, Turn } from './conversation.ts'
import { Markdown } from './markdown/markdown.tsx'
import { numberMarkers, withoutUncited } from './number-markers.ts'
import { AnswerActions } from './parts/answer-actions.tsx'
import { AnswerFacts } from './parts/answer-facts.tsx'
import { Icon } from './parts/icons.tsx'
import { useWords } from './words-context.tsx'

interface TurnViewProps {
  turn: Turn
  conversation: Pick<Conversation, 'retry' | 'rate'>
  isLast: boolean
  onCite: (open: { citation: Citation; number: number; answer: string }) => void
}

/** Renders a question and its answer. Memoized, so that only the changed turn of a long conversation renders again. */
export const TurnView = memo(function TurnView({
  turn,
  conversation,
  isLast,
  onCite,
}: TurnViewProps) {
  const words = useWords().chat
  const isOver = turn.state === 'done' || turn.state === 'failed'
  return (
    <article className="turn" data-state={turn.state}>
      <h2 className="visually-hidden">{words.you}</h2>
      <p className="question" dir="auto">
        {turn.question}
      </p>
      <h2 className="visually-hidden">{words.answer}</h2>
      <div className="answer" dir="auto" aria-busy={!isOver}>
        {turn.state === 'waiting' && <Thinking />}
        <AnswerText turn={turn} onCite={onCite} />
        <HowItEnded turn={turn} onRetry={() => void conversation.retry(turn.key)} />
      </div>
      {turn.state === 'done' && turn.uuid && (
        <AnswerActions
          text={turn.text}
          rating={turn.rating}
          onRate={(rating, comment) => conversation.rate(turn.key, rating, comment)}
          onAskAgain={isLast ? () => void conversation.retry(turn.key) : undefined}
        >
          {turn.facts && <AnswerFacts facts={turn.facts} />}
        </AnswerActions>
      )}
    </article>
  )
})

function Thinking() {
  return (
    <span className="thinking" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  )
}

export function AnswerText({ turn, onCite }: Pick<TurnViewProps, 'turn' | 'onCite'>) {
  const words = useWords().chat
  const { citations, state, finishReason } = turn
  const isOpen = state === 'streaming' || state === 'reconnecting'
  const hasBrokenOff = state === 'failed' || (state === 'done' && finishReason !== 'stop')
  const text = hasBrokenOff ? withoutUncited(turn.text, citations) : turn.text
  // A ref, because a new function per chunk would render every block again. A marker keeps its number, so blocks do not
  // become stale.
  const numbers = useRef(new Map<string, number>())
  numbers.current = useMemo(() => numberMarkers(text), [text])
  const answer = useRef(text)
  answer.current = text
  const renderCitation = useCallback(
    (marker: string) => {
      const citation = citations[marker]
      const number = numbers.current.get(marker) ?? 0
      if (isOpen) return <span className="chip">{number}</span>
      if (!citation) return `[${marker}]`
      return (
        <button
          type="button"
          className="chip"
          title={citation.title}
          aria-label={fill(words.source, { number, title: citation.title })}
          onClick={() => onCite({ citation, number, answer: answer.current })}
        >
          {number}
        </button>
      )
    },
    [citations, isOpen, onCite, words],
  )
  return (
    <div className="prose">
      <Markdown text={text} isOpen={isOpen} renderCitation={renderCitation} />
    </div>
  )
}

function HowItEnded({ turn, onRetry }: { turn: Turn; onRetry: () => void }) {
  const words = useWords().chat
  const notes: Record<string, string> = {
    cancelled: words.stopped,
    interrupted: words.interrupted,
    length: words.cutOff,
    content_filter: words.filtered,
  }
  if (turn.state === 'reconnecting') return <p className="turn-note">{words.reconnecting}</p>
  if (turn.state === 'failed') {
    return (
      <div className="notice danger">
        <Icon name="warning" />
        <span>{turn.error || words.noConnection}</span>
        <button type="button" className="button small" onClick={onRetry}>
          {words.retry}
        </button>
      </div>
    )
  }
  const note = turn.state === 'done' ? notes[turn.finishReason] : undefined
  return note ? <p className="turn-note">{note}</p> : null
}
