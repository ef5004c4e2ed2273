import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useState } from 'react'
import { Field } from './field.tsx'

interface PasswordInputProps {
  label: string
  name: string
  hint?: string
  isNew?: boolean
}

export function PasswordInput({ label, name, hint, isNew = false }: PasswordInputProps) {
  const words = useWords().signIn
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <Field label={label} hint={hint}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            name={name}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            minLength={isNew ? 10 : 1}
            maxLength={200}
            required
            dir="ltr"
          />
        )}
      </Field>
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={() => setIsShown(!isShown)} />
        {words.show}
      </label>
    </>
  )
}
