import { hasKeyboard } from '@docent/widget/chat/parts/has-keyboard.ts'
import { useWords } from '../words-context.tsx'
import { Field } from './field.tsx'

interface NameInputProps {
  name?: string | undefined
  /** The field is the page's main purpose, so it gets the focus. */
  isFirst?: boolean
}

/** The user name for signing in. */
export function NameInput({ name, isFirst = false }: NameInputProps) {
  const words = useWords().signIn
  return (
    <Field label={words.name}>
      {(ids) => (
        <input
          {...ids}
          className="input"
          name="name"
          defaultValue={name}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={100}
          // biome-ignore lint/a11y/noAutofocus: the only thing to do on such a page
          autoFocus={isFirst && hasKeyboard()}
          required
          dir="auto"
        />
      )}
    </Field>
  )
}
