import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Announcer } from './announcer.tsx'
import type { ChatApi, Citation } from './chat-api.ts'
import { CitationPanel } from './citation-panel.tsx'
import { Composer, type Draft } from './composer.tsx'
import { Conversation } from './conversation.ts'
import { Icon } from './parts/icons.tsx'
import { TurnView } from './turn-view.tsx'
import { useStickToEnd } from './use-stick-to-end.ts'
import { useWords } from './words-context.tsx'

interface ChatProps {
  api: ChatApi
  greeting: string
  suggestions: string[]
  /** Renders a link from a citation to its source. Only owners have it. */
  sourceLink?: ((citation: Citation) => ReactNode) | undefined
  note?: string
  draft?: Draft
  autoFocus?: boolean
  /** Returns to the previous conversation. Offered while this conversation is empty. */
  onGoBack?: (() => void) | undefined
}

interface OpenCitation {
  citation: Citation
  number: number
  answer: string
}

export function Chat({
  api,
  greeting,
  suggestions,
  sourceLink,
  note,
  draft,
  autoFocus = false,
  onGoBack,
}: ChatProps) {
  const words = useWords().chat
  const conversation = useMemo(() => new Conversation(api), [api])
  const { turns, isLoading, loadError, isGone, ...older } = useSyncExternalStore(
    conversation.subscribe,
    conversation.snapshot,
  )
  const [open, setOpen] = useState<OpenCitation>()
  const { scroller, isAtEnd, onScroll, toEnd } = useStickToEnd(turns)

  useEffect(() => {
    void conversation.load()
    return () => conversation.close()
  }, [conversation])

  const last = turns.at(-1)
  const isAnswering = last !== undefined && last.state !== 'done' && last.state !== 'failed'
  const isEmpty = !isLoading && loadError === undefined && turns.length === 0
  const ask = (question: string) => {
    toEnd()
    void conversation.ask(question)
  }

  return (
    <div className="chat" data-empty={isEmpty}>
      <section
        className="chat-scroll"
        ref={scroller}
        onScroll={onScroll}
        aria-label={words.conversation}
      >
        <div className="chat-column">
          {greeting !== '' && (
            <p className="chat-greeting" dir="auto">
              {greeting}
            </p>
          )}
          {isLoading && <div className="skeleton" aria-hidden="true" />}
          {loadError !== undefined && (
            <div className="notice danger" role="alert">
              <Icon name="warning" />
              <span>{loadError || words.noConnection}</span>
              <button
                type="button"
                className="button small"
                disabled={isAnswering}
                onClick={() => void conversation.load()}
              >
                {words.retry}
              </button>
            </div>
          )}
          {isEmpty && isGone && (
            <p className="notice" role="status">
              {words.previousGone}
            </p>
          )}
          {isEmpty && suggestions.length > 0 && (
            <ul className="suggestions" aria-label={words.suggestions}>
              {suggestions.map((question) => (
                <li key={question}>
                  <button type="button" dir="auto" onClick={() => ask(question)}>
                    {question}
                  </button>
                </li>
              ))}
            </ul>
          )}
          {isEmpty && onGoBack && (
            <button type="button" className="button small go-back" onClick={onGoBack}>
              {words.goBack}
            </button>
          )}
          {older.hasOlder && (
            <button
              type="button"
              className="button small"
              disabled={older.isLoadingOlder}
              onClick={() => void conversation.loadOlder()}
            >
              {words.older}
            </button>
          )}
          {older.olderError !== undefined && (
            <div className="notice danger" role="alert">
              <Icon name="warning" />
              <span>{older.olderError || words.noConnection}</span>
            </div>
          )}
          {turns.map((turn) => (
            <TurnView
              key={turn.key}
              turn={turn}
              conversation={conversation}
              isLast={turn === last}
              onCite={setOpen}
            />
          ))}
        </div>
      </section>
      {!isAtEnd && turns.length > 0 && (
        <button type="button" className="to-end" onClick={toEnd} aria-label={words.newest}>
          <Icon name="arrowDown" />
        </button>
      )}
      <div className="chat-foot">
        <Composer
          isAnswering={isAnswering}
          lastQuestion={last?.question}
          onAsk={ask}
          onStop={() => void conversation.stop()}
          autoFocus={autoFocus}
          draft={draft}
        />
        {note && <p className="chat-note">{note}</p>}
      </div>
      <Announcer turn={last} />
      {open && (
        <CitationPanel
          {...open}
          readExcerpt={api.readExcerpt}
          sourceLink={sourceLink}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}
