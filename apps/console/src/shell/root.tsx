import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { SignInAgain } from '../account/sign-in-again.tsx'
import { signInQuery } from '../api/queries.ts'
import { Loaded } from './loaded.tsx'
import { Logo } from './logo.tsx'
import { SetupPage } from './setup-page.tsx'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** Shows the sign-in page at any URL. After signing in, the user sees the page of that URL. */
export function Root() {
  const signIn = useQuery(signInQuery)
  const { pathname } = useLocation()
  const user = signIn.data?.user
  const [lastUser, setLastUser] = useState(user)
  if (user && user.uuid !== lastUser?.uuid) setLastUser(user)

  if (!signIn.data) {
    return (
      <main className="door">
        <h1>
          <Logo />
        </h1>
        <div className="starting">
          <Loaded query={signIn}>{() => null}</Loaded>
        </div>
      </main>
    )
  }
  if (signIn.data.needs_account) return <SetupPage />
  const shown = user ?? lastUser
  if (!shown) return <SignInPage />
  if (pathname === '/setup' || pathname === '/sign-in') return <Navigate to="/chatbots" replace />
  return (
    <Shell userName={shown.name}>
      <Outlet />
      {!user && <SignInAgain user={shown} />}
    </Shell>
  )
}
