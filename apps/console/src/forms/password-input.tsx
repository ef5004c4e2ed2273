import { hasKeyboard } from '@docent/widget/chat/parts/has-keyboard.ts'
import { Icon } from '@docent/widget/chat/parts/icons.tsx'
import { useState } from 'react'
import { useWords } from '../words-context.tsx'
import { Field } from './field.tsx'

interface PasswordInputProps {
  label: string
  name: string
  hint?: string
  isNew?: boolean
  /** The field is the page's main purpose, so it gets the focus. */
  isFirst?: boolean
}

export function PasswordInput(props: PasswordInputProps) {
  const { label, name, hint, isNew = false, isFirst = false } = props
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
            // biome-ignore lint/a11y/noAutofocus: the only thing to do on such a page
            autoFocus={isFirst && hasKeyboard()}
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
