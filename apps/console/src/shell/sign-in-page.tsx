import { useQueryClient } from '@tanstack/react-query'
import { SignInForm } from '../account/sign-in-form.tsx'
import { signInQuery } from '../api/queries.ts'
import { useWords } from '../words-context.tsx'
import { Door } from './door.tsx'

export function SignInPage() {
  const words = useWords()
  const queries = useQueryClient()
  return (
    <Door title={words.signIn.title}>
      <SignInForm
        onSignedIn={(state) => {
          // Another account's cached data must not be visible.
          queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in' })
          queries.setQueryData(signInQuery.queryKey, state)
        }}
      />
    </Door>
  )
}
