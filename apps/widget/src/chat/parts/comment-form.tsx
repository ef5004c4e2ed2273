import { useState } from 'react'
import { useWords } from '../words-context.tsx'

const LONGEST_COMMENT = 2_000

interface CommentFormProps {
  /** Resolves to whether the comment was stored. */
  onSend: (comment: string) => Promise<boolean>
  onClose: () => void
}

/** Asks users after a bad rating what was missing. Optional. */
export function CommentForm({ onSend, onClose }: CommentFormProps) {
  const words = useWords().chat
  const [comment, setComment] = useState('')
  const [isSent, setIsSent] = useState(false)
  if (isSent) {
    return (
      <p className="turn-note" role="status">
        {words.thanks}
      </p>
    )
  }
  return (
    <form
      className="comment-form"
      onSubmit={async (event) => {
        event.preventDefault()
        if (comment.trim() === '') return onClose()
        setIsSent(await onSend(comment.trim()))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <input
        aria-label={words.whatWasMissing}
        placeholder={words.whatWasMissing}
        maxLength={LONGEST_COMMENT}
        value={comment}
        dir="auto"
        onChange={(event) => setComment(event.target.value)}
      />
      <button type="submit" className="button small">
        {words.send}
      </button>
    </form>
  )
}
