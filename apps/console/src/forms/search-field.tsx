import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useEffect, useState } from 'react'
import { useWords } from '../words-context.tsx'

interface SearchFieldProps {
  /** As it stands in the address. */
  value: string | undefined
  maxLength?: number
  onChange: (value: string) => void
}

/** Looks for something in a list. */
export function SearchField({ value, maxLength, onChange }: SearchFieldProps) {
  const words = useWords().common
  // What is typed has to be in its field at once; the address follows a moment later.
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
