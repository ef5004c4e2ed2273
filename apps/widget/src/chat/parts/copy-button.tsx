import { useEffect, useState } from 'react'
import { useWords } from '../words-context.tsx'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

const SAID_FOR_MS = 2_000

/** Copies a text and confirms it briefly. */
export function CopyButton({ text }: { text: string }) {
  const words = useWords().chat
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? words.copied : words.copy}
      onClick={() => void copyText(text).then(setIsCopied)}
    />
  )
}
