import { useEffect, useState } from 'react'
import type { Rating } from './chat-api.ts'
import { Icon } from './icons.tsx'
import { useWords } from './words-context.tsx'

interface AnswerActionsProps {
  text: string
  rating: Rating | null
  onRate: (rating: Rating) => void
  onAskAgain: (() => void) | undefined
}

export function AnswerActions({ text, rating, onRate, onAskAgain }: AnswerActionsProps) {
  const words = useWords().chat
  return (
    <div className="answer-actions">
      <CopyAnswer text={text} />
      <button
        type="button"
        className="icon-button"
        aria-label={words.helpful}
        aria-pressed={rating === 'up'}
        onClick={() => onRate('up')}
      >
        <Icon name="up" size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={words.notHelpful}
        aria-pressed={rating === 'down'}
        onClick={() => onRate('down')}
      >
        <Icon name="down" size={16} />
      </button>
      {onAskAgain && (
        <button
          type="button"
          className="icon-button"
          aria-label={words.askAgain}
          onClick={onAskAgain}
        >
          <Icon name="again" size={16} />
        </button>
      )}
    </div>
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
  // The markers mean nothing outside of this page.
  const copy = () => {
    const plain = text.replace(/ ?\[\d{1,3}\.\d{1,3}\]/g, '')
    navigator.clipboard.writeText(plain).then(
      () => setIsCopied(true),
      () => {},
    )
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={isCopied ? words.copied : words.copy}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </button>
  )
}
