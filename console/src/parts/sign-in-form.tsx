import { hasKeyboard } from '@docent/widget/chat/has-keyboard.ts'
import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import type { SignInState } from '../api/records.ts'
import { Field } from './field.tsx'
import { Form } from './form.tsx'
import { PasswordInput } from './password-input.tsx'

interface SignInFormProps {
  name?: string
  onSignedIn: (state: SignInState) => void
}

export function SignInForm({ name, onSignedIn }: SignInFormProps) {
  const words = useWords().signIn
  const signIn = useMutation({
    mutationFn: (credentials: object) => post<SignInState>('/auth/sign-in', credentials),
    onSuccess: onSignedIn,
  })
  return (
    <Form
      task={signIn}
      onSubmit={(fields) => signIn.mutate(fields)}
      actions={
        <>
          <button type="submit" className="button primary" disabled={signIn.isPending}>
            {words.submit}
          </button>
          <p className="field-hint">{words.forgot}</p>
        </>
      }
    >
      <Field label={words.name}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            name="name"
            defaultValue={name}
            autoComplete="username"
            // biome-ignore lint/a11y/noAutofocus: the only thing to do on this page
            autoFocus={name === undefined && hasKeyboard()}
            required
            dir="auto"
          />
        )}
      </Field>
      <PasswordInput label={words.password} name="password" />
    </Form>
  )
}
