import { Modal } from '@docent/widget/chat/parts/modal.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { signInQuery } from '../api/queries.ts'
import type { SignInState } from '../api/records.ts'
import { useWords } from '../words-context.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Opens above the current page, so that unsaved input is not lost. */
export function SignInAgain({ user }: { user: NonNullable<SignInState['user']> }) {
  const words = useWords().signIn
  const queries = useQueryClient()
  const onSignedIn = (state: SignInState) => {
    // Another account must not see the current page.
    if (state.user?.uuid !== user.uuid) return location.assign('/chatbots')
    queries.setQueryData(signInQuery.queryKey, state)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'sign-in' })
  }
  return (
    <Modal title={words.ended} closesByButtonOnly onClose={() => location.reload()}>
      <p className="text-ink-soft">{words.endedHint}</p>
      <SignInForm name={user.name} onSignedIn={onSignedIn} />
    </Modal>
  )
}
