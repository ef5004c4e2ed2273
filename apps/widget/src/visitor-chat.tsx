import type { Channel, OpenChatbot } from '@docent/client'
import { ForbiddenError, NotFoundError } from '@docent/client/http/errors.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { brandColors } from './brand-colors.ts'
import { Chat } from './chat/chat.tsx'
import { hasKeyboard } from './chat/parts/has-keyboard.ts'
import { Icon } from './chat/parts/icons.tsx'
import { useSpeech, useWords } from './chat/words-context.tsx'
import { explainFailure } from './explain-failure.ts'
import { findVisit, forgetVisit, keepVisit, type Visit } from './visit.ts'
import { getOpenChatbot, visitorChat } from './visitor-api.ts'

interface VisitorChatProps {
  chatbot: string
  channel: Channel
  /** In the console, which sends the unsaved appearance by message. */
  isPreview: boolean
}

/** The visitor page: a header with the chatbot's title, and the chat. */
export function VisitorChat({ chatbot, channel, isPreview }: VisitorChatProps) {
  const speech = useSpeech()
  const { words } = speech
  const [look, setLook] = useState<OpenChatbot | 'missing' | { failure: string }>()
  const [round, setRound] = useState(0)
  // Kept only in memory, so that a new conversation leaves nothing behind on a shared machine.
  const [previous, setPrevious] = useState<Visit>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts a new session
  const api = useMemo(
    () => visitorChat(chatbot, channel, speech),
    [chatbot, channel, speech, round],
  )

  const load = useCallback(() => {
    setLook(undefined)
    getOpenChatbot(chatbot, channel).then(
      (found) => {
        wear(found)
        setLook(found)
      },
      (error) => setLook(isRefusal(error) ? 'missing' : { failure: explainFailure(error, speech) }),
    )
  }, [chatbot, channel, speech])
  useEffect(load, [load])

  const isThere = typeof look === 'object' && !('failure' in look)
  useEffect(() => {
    if (!isPreview || !isThere) return
    const onMessage = ({ origin, data }: MessageEvent) => {
      if (origin !== location.origin || data?.docent !== 'look') return
      wear(data.look)
      setLook(data.look)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [isPreview, isThere])

  // Until then, the widget shows a loading cover.
  useEffect(() => tellHost('shown'), [])

  // The preview listens by now. From here on, the widget lets the frame handle closing.
  useEffect(() => {
    if (isThere) tellHost('ready')
  }, [isThere])

  // The widget keeps its frame while closed. On reopening, the visitor can type at once.
  useEffect(() => {
    const onFocus = () => {
      const isAtRest = document.activeElement === document.body
      if (isAtRest && hasKeyboard()) document.querySelector('textarea')?.focus()
    }
    addEventListener('focus', onFocus)
    return () => removeEventListener('focus', onFocus)
  }, [])

  useEffect(() => {
    if (channel !== 'widget') return
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key === 'Escape' &&
        !event.defaultPrevented &&
        !document.querySelector('dialog[open]')
      )
        tellHost('close')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [channel])

  const beginAnew = () => {
    // A second press has no session to keep.
    setPrevious(findVisit(chatbot) ?? previous)
    forgetVisit(chatbot)
    setRound(round + 1)
  }
  const goBackTo = (visit: Visit) => {
    keepVisit(chatbot, visit)
    setPrevious(undefined)
    setRound(round + 1)
  }

  if (look === undefined) return <Loading />
  if (look === 'missing') return <Missing />
  if ('failure' in look) return <Failed reason={look.failure} onRetry={load} />
  return (
    <div className="visitor" data-channel={channel}>
      <header className="visitor-head">
        {channel === 'share' && (
          <span className="visitor-mark" aria-hidden="true">
            {[...look.title][0]?.toUpperCase()}
          </span>
        )}
        <h1 dir="auto">{look.title}</h1>
        <button
          type="button"
          className="icon-button"
          aria-label={words.chat.newChat}
          title={words.chat.newChat}
          onClick={beginAnew}
        >
          <Icon name="plus" />
        </button>
        {channel === 'widget' && window.parent !== window && !isPreview && (
          <button
            type="button"
            className="icon-button"
            aria-label={words.common.close}
            title={words.common.close}
            onClick={() => tellHost('close')}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      <main>
        <Chat
          key={round}
          api={api}
          greeting={look.greeting || words.chat.greeting}
          suggestions={look.suggested_questions}
          note={words.chat.mayErr}
          autoFocus={channel === 'share' || document.hasFocus()}
          onGoBack={previous && (() => goBackTo(previous))}
        />
      </main>
    </div>
  )
}

function Loading() {
  const words = useWords().common
  return (
    <main className="missing">
      <p className="loading" role="status">
        {words.loading}
      </p>
    </main>
  )
}

function Missing() {
  const words = useWords().chat
  return (
    <main className="missing">
      <h1>{words.notHere}</h1>
      <p>{words.notHereHint}</p>
    </main>
  )
}

function Failed({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  const words = useWords().chat
  return (
    <main className="missing">
      <h1>{reason || words.noConnection}</h1>
      <button type="button" className="button" onClick={onRetry}>
        {words.retry}
      </button>
    </main>
  )
}

function isRefusal(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ForbiddenError
}

/** Applies the owner's color, theme and title. */
function wear({ title, color, theme }: OpenChatbot): void {
  document.title = title
  const root = document.documentElement
  root.dataset.theme = theme
  for (const [name, value] of Object.entries(brandColors(color)))
    root.style.setProperty(name, value)
}

/** Contains no data, so any origin may receive it. */
function tellHost(message: 'close' | 'ready' | 'shown'): void {
  if (window.parent !== window) window.parent.postMessage({ docent: message }, '*')
}
