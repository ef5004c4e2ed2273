import { type ReactNode, useState } from 'react'
import type { Rating } from '../chat-api.ts'
import { withoutMarkers } from '../number-markers.ts'
import { useWords } from '../words-context.tsx'
import { CommentForm } from './comment-form.tsx'
import { CopyButton } from './copy-button.tsx'
import { IconButton } from './icon-button.tsx'

interface AnswerActionsProps {
  text: string
  rating: Rating | null
  /** Resolves to whether the rating was stored. */
  onRate: (rating: Rating, comment?: string) => Promise<boolean>
  onAskAgain: (() => void) | undefined
  /** Shown next to the buttons. */
  children?: ReactNode
}

export function AnswerActions({ text, rating, onRate, onAskAgain, children }: AnswerActionsProps) {
  const words = useWords().chat
  const [isCommenting, setIsCommenting] = useState(false)
  const [isLost, setIsLost] = useState(false)
  const send = async (given: Rating, comment?: string) => {
    setIsLost(false)
    const isStored = await onRate(given, comment)
    setIsLost(!isStored)
    return isStored
  }
  const rate = (given: Rating) => {
    setIsCommenting(given === 'down')
    void send(given)
  }
  return (
    <>
      <div className="answer-actions">
        <CopyButton text={withoutMarkers(text)} />
        <IconButton
          icon="up"
          label={words.helpful}
          isPressed={rating === 'up'}
          onClick={() => rate('up')}
        />
        <IconButton
          icon="down"
          label={words.notHelpful}
          isPressed={rating === 'down'}
          onClick={() => rate('down')}
        />
        {onAskAgain && <IconButton icon="again" label={words.askAgain} onClick={onAskAgain} />}
        {children}
      </div>
      {isLost && (
        <p className="turn-note" role="alert">
          {words.notRated}
        </p>
      )}
      {isCommenting && (
        <CommentForm
          onSend={(comment) => send('down', comment)}
          onClose={() => setIsCommenting(false)}
        />
      )}
    </>
  )
}
