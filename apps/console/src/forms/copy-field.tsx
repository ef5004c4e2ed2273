import { copyText } from '@docent/widget/chat/parts/copy-text.ts'
import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useState } from 'react'
import { useWords } from '../words-context.tsx'

/** A link, token or script tag with a copy button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const words = useWords().common
  const [copied, setCopied] = useState<string>()
  const isCopied = copied === value
  const copy = () => void copyText(value).then((done) => setCopied(done ? value : undefined))
  return (
    <div className="copy-field">
      <input
        readOnly
        value={value}
        aria-label={label}
        dir="ltr"
        onFocus={(event) => event.target.select()}
      />
      <button type="button" className="button" onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} size={16} />
        <span aria-live="polite">{isCopied ? words.copied : words.copy}</span>
      </button>
    </div>
  )
}
