import { useMutation } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import type { SignInState } from '../api/records.ts'
import { Form } from '../forms/form.tsx'
import { NameInput } from '../forms/name-input.tsx'
import { PasswordInput } from '../forms/password-input.tsx'
import { useWords } from '../words-context.tsx'

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
          <button type="submit" className="button primary" aria-disabled={signIn.isPending}>
            {words.submit}
          </button>
          <p className="field-hint">{words.forgot}</p>
        </>
      }
    >
      <NameInput name={name} isFirst={name === undefined} />
      <PasswordInput label={words.password} name="password" />
    </Form>
  )
}
