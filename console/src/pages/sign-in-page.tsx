import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import type { SignInState } from '../api/records.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordInput } from '../parts/password-input.tsx'
import { Door } from './door.tsx'

export function SignInPage() {
  const words = useWords()
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: (credentials: object) => post<SignInState>('/auth/sign-in', credentials),
    onSuccess: (state) => {
      // What an earlier account of this browser has seen is not for this one.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in' })
      queries.setQueryData(signInQuery.queryKey, state)
    },
  })
  return (
    <Door title={words.signIn.title}>
      <Form
        task={signIn}
        onSubmit={(fields) => signIn.mutate(fields)}
        actions={
          <>
            <button type="submit" className="button primary" disabled={signIn.isPending}>
              {words.signIn.submit}
            </button>
            <p className="field-hint">{words.signIn.forgot}</p>
          </>
        }
      >
        <Field label={words.signIn.name}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              name="name"
              autoComplete="username"
              required
              dir="auto"
            />
          )}
        </Field>
        <PasswordInput label={words.signIn.password} name="password" />
      </Form>
    </Door>
  )
}
