import { type ReactNode, useEffect, useState } from 'react'
import type { Rating } from './chat-api.ts'
import { CommentForm } from './comment-form.tsx'
import { copyText } from './copy-text.ts'
import { Icon, type IconName } from './icons.tsx'
import { withoutMarkers } from './number-markers.ts'
import { useWords } from './words-context.tsx'

interface AnswerActionsProps {
  text: string
  rating: Rating | null
  onRate: (rating: Rating, comment?: string) => void
  onAskAgain: (() => void) | undefined
  /** What stands beside the buttons. */
  children?: ReactNode
}

export function AnswerActions({ text, rating, onRate, onAskAgain, children }: AnswerActionsProps) {
  const words = useWords().chat
  const [isCommenting, setIsCommenting] = useState(false)
  const rate = (given: Rating) => {
    onRate(given)
    setIsCommenting(given === 'down')
  }
  return (
    <>
      <div className="answer-actions">
        <CopyAnswer text={text} />
        <ActionButton
          icon="up"
          label={words.helpful}
          isPressed={rating === 'up'}
          onClick={() => rate('up')}
        />
        <ActionButton
          icon="down"
          label={words.notHelpful}
          isPressed={rating === 'down'}
          onClick={() => rate('down')}
        />
        {onAskAgain && <ActionButton icon="again" label={words.askAgain} onClick={onAskAgain} />}
        {children}
      </div>
      {isCommenting && (
        <CommentForm
          onSend={(comment) => onRate('down', comment)}
          onClose={() => setIsCommenting(false)}
        />
      )}
    </>
  )
}

interface ActionButtonProps {
  icon: IconName
  label: string
  isPressed?: boolean
  onClick: () => void
}

function ActionButton({ icon, label, isPressed, onClick }: ActionButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}

function CopyAnswer({ text }: { text: string }) {
  const words = useWords().chat
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <ActionButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? words.copied : words.copy}
      onClick={() => void copyText(withoutMarkers(text)).then(setIsCopied)}
    />
  )
}
