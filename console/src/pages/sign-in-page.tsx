import { useWords } from '@docent/widget/chat/words-context.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import type { SignInState } from '../api/records.ts'
import { Field } from '../parts/field.tsx'
import { PasswordInput } from '../parts/password-input.tsx'
import { reasonOf } from '../parts/toasts.tsx'
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
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate(Object.fromEntries(new FormData(event.currentTarget)))
        }}
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
        {signIn.error && (
          <p className="notice danger" role="alert">
            {reasonOf(signIn.error, words.common.offline)}
          </p>
        )}
        <button type="submit" className="button primary" disabled={signIn.isPending}>
          {words.signIn.submit}
        </button>
        <p className="field-hint">{words.signIn.forgot}</p>
      </form>
    </Door>
  )
}
