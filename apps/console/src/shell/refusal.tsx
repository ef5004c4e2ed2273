import { useQuery } from '@tanstack/react-query'
import { isSignedOut } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import { useSpeech } from '../words-context.tsx'
import { reasonOf } from './explain-error.ts'

/** In a dialog taller than the window, the error may be below the visible part. */
const bringIntoSight = (said: HTMLElement | null) => said?.scrollIntoView({ block: 'nearest' })

/** Shows an error next to the form or button that caused it. */
export function Refusal({ error }: { error: unknown }) {
  const speech = useSpeech()
  const { data: signIn } = useQuery(signInQuery)
  // Hide the sign-in error once the user has signed in again.
  const isSettled = signIn?.user != null && isSignedOut(error)
  if (error == null || isSettled) return null
  return (
    <p ref={bringIntoSight} className="notice danger form-error" role="alert" dir="auto">
      {reasonOf(error, speech)}
    </p>
  )
}
