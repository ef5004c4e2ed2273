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
          // What an earlier account of this browser has seen is not for this one.
          queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in' })
          queries.setQueryData(signInQuery.queryKey, state)
        }}
      />
    </Door>
  )
}
