import { useQueryClient } from '@tanstack/react-query'
import { signInQuery } from '../api/queries.ts'
import { SignInForm } from '../parts/sign-in-form.tsx'
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
