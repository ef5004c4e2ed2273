import { useEffect, useMemo, useState } from 'react'
import { brandColors } from './brand-colors.ts'
import { Chat } from './chat/chat.tsx'
import { Icon } from './chat/icons.tsx'
import { useWords } from './chat/words-context.tsx'
import { forgetVisit } from './visit.ts'
import { type Channel, getOpenChatbot, type OpenChatbot, visitorChat } from './visitor-api.ts'

interface VisitorChatProps {
  chatbot: string
  channel: Channel
}

/** The whole page of a visitor: a head with the chatbot's title, and the chat. */
export function VisitorChat({ chatbot, channel }: VisitorChatProps) {
  const words = useWords()
  const [look, setLook] = useState<OpenChatbot | 'missing'>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another session
  const api = useMemo(() => visitorChat(chatbot, channel), [chatbot, channel, round])

  useEffect(() => {
    getOpenChatbot(chatbot, channel).then(
      (found) => {
        wear(found)
        setLook(found)
      },
      () => setLook('missing'),
    )
  }, [chatbot, channel])

  // The widget's frame is there before it is opened again: whoever opens it can write at once.
  useEffect(() => {
    const onFocus = () => {
      if (document.activeElement === document.body) document.querySelector('textarea')?.focus()
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

  if (look === undefined) return null
  if (look === 'missing') return <Missing />
  return (
    <div className="visitor">
      <header className="visitor-head">
        <h1 dir="auto">{look.title}</h1>
        <button
          type="button"
          className="icon-button"
          aria-label={words.chat.newChat}
          onClick={() => {
            forgetVisit(chatbot)
            setRound(round + 1)
          }}
        >
          <Icon name="plus" />
        </button>
        {channel === 'widget' && window.parent !== window && (
          <button
            type="button"
            className="icon-button"
            aria-label={words.common.close}
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
        />
      </main>
    </div>
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

/** The colours and the title that the owner has chosen. */
function wear({ title, color, theme }: OpenChatbot): void {
  document.title = title
  const root = document.documentElement
  root.dataset.theme = theme
  for (const [name, value] of Object.entries(brandColors(color)))
    root.style.setProperty(name, value)
}

/** Nothing but "close" is ever said, so that it does not matter who listens. */
function tellHost(message: 'close'): void {
  if (window.parent !== window) window.parent.postMessage({ docent: message }, '*')
}
