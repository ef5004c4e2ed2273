import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { signInQuery } from '../api/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { SetupPage } from './setup-page.tsx'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** Whoever is not signed in is asked to, at whatever address; afterwards they are where they wanted to go. */
export function Root() {
  const signIn = useQuery(signInQuery)
  const { pathname } = useLocation()
  return (
    <Loaded query={signIn}>
      {({ user, needs_account, needs_code }) => {
        if (needs_account) return <SetupPage needsCode={needs_code} />
        if (!user) return <SignInPage />
        if (pathname === '/setup' || pathname === '/sign-in')
          return <Navigate to="/chatbots" replace />
        return (
          <Shell userName={user.name}>
            <Outlet />
          </Shell>
        )
      }}
    </Loaded>
  )
}
