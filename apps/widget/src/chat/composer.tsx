import { fill } from '@docent/words/words.ts'
import { type KeyboardEvent, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { hasKeyboard } from './parts/has-keyboard.ts'
import { Icon } from './parts/icons.tsx'
import { useSpeech } from './words-context.tsx'

/** Unsent text. The console keeps it while the chat is hidden. */
export interface Draft {
  text: string
}

interface ComposerProps {
  isAnswering: boolean
  lastQuestion: string | undefined
  autoFocus: boolean
  draft: Draft | undefined
  onAsk: (question: string) => void
  onStop: () => void
}

const LONGEST_QUESTION = 32_000

/** Enter sends, Shift+Enter starts a new line, Escape stops the answer, and Arrow Up recalls the last question. */
export function Composer(props: ComposerProps) {
  const { isAnswering, lastQuestion, autoFocus, draft, onAsk, onStop } = props
  const { language, words: allWords } = useSpeech()
  const words = allWords.chat
  const [text, setText] = useState(draft?.text ?? '')
  const noteId = useId()
  const field = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    if (autoFocus && hasKeyboard()) field.current?.focus({ preventScroll: true })
  }, [autoFocus])

  useEffect(() => {
    if (draft) draft.text = text
  }, [draft, text])

  const question = text.trim()
  const isTooLong = question.length > LONGEST_QUESTION
  const number = new Intl.NumberFormat(language)
  const send = () => {
    if (question === '' || isTooLong || isAnswering) return
    setText('')
    onAsk(question)
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Enter selects a candidate.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape' && isAnswering) {
      event.stopPropagation()
      onStop()
    } else if (event.key === 'ArrowUp' && text === '' && lastQuestion) {
      event.preventDefault()
      setText(lastQuestion)
    }
  }

  return (
    <>
      {isTooLong && (
        <p id={noteId} className="composer-note" role="alert">
          {fill(allWords.reasons.questionTooLong, {
            length: number.format(question.length),
            most: number.format(LONGEST_QUESTION),
          })}
        </p>
      )}
      <form className="composer" onSubmit={onSubmit}>
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-invalid={isTooLong}
          aria-describedby={isTooLong ? noteId : undefined}
          placeholder={words.placeholder}
          aria-label={words.question}
          // The placeholder follows the direction of the page.
          dir={text === '' ? undefined : 'auto'}
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {isAnswering ? (
          <button
            type="button"
            className="send"
            onClick={onStop}
            aria-label={words.stop}
            title={words.stop}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            className="send"
            disabled={question === '' || isTooLong}
            aria-label={words.send}
            title={words.send}
          >
            <Icon name="send" />
          </button>
        )}
      </form>
    </>
  )
}
