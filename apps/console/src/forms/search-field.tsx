import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useEffect, useState } from 'react'
import { useWords } from '../words-context.tsx'

interface SearchFieldProps {
  /** The value in the URL. */
  value: string | undefined
  maxLength?: number
  onChange: (value: string) => void
}

export function SearchField({ value, maxLength, onChange }: SearchFieldProps) {
  const words = useWords().common
  // The field shows typed text at once. The URL follows after a short delay.
  const [typed, setTyped] = useState(value ?? '')
  const isCleared = value === undefined
  useEffect(() => {
    if (isCleared) setTyped('')
  }, [isCleared])
  return (
    <label className="search">
      <Icon name="search" size={16} />
      <input
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        value={typed}
        maxLength={maxLength}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(event.target.value)
        }}
      />
    </label>
  )
}
