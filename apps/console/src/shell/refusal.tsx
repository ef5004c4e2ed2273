import { useQuery } from '@tanstack/react-query'
import { isSignedOut } from '../api/client.ts'
import { signInQuery } from '../api/queries.ts'
import { useSpeech } from '../words-context.tsx'
import { reasonOf } from './explain-error.ts'

/** In a dialog that is higher than the window it would be below what can be seen. */
const bringIntoSight = (said: HTMLElement | null) => said?.scrollIntoView({ block: 'nearest' })

/** Why something was not done, where it was asked for. */
export function Refusal({ error }: { error: unknown }) {
  const speech = useSpeech()
  const { data: signIn } = useQuery(signInQuery)
  // Whoever has signed in again need not be told any more that they were not.
  const isSettled = signIn?.user != null && isSignedOut(error)
  if (error == null || isSettled) return null
  return (
    <p ref={bringIntoSight} className="notice danger form-error" role="alert" dir="auto">
      {reasonOf(error, speech)}
    </p>
  )
}
