import { Icon } from '@docent/widget/chat/icons.tsx'
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
  const toggle = isShown ? words.hide : words.show
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <div className="password">
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
          <button
            type="button"
            className="icon-button"
            aria-label={toggle}
            title={toggle}
            onClick={() => setIsShown(!isShown)}
          >
            <Icon name={isShown ? 'eyeOff' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  )
}
