import { ApiError } from '@docent/client/http/errors.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { signIns } from './api/client.ts'
import { signInQuery, whileAway } from './api/queries.ts'
import { PreferencesProvider, preferredLanguage } from './preferences.tsx'
import { router } from './router.tsx'
import { ToastProvider } from './shell/toasts.tsx'
import './styles.css'

// Notify in a microtask. Otherwise the second press of a double click would submit again.
notifyManager.setScheduler(queueMicrotask)

const queries = new QueryClient({
  defaultOptions: {
    // A browser that reports being offline may still reach a server on its own machine or network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (count, error) => !(error instanceof ApiError) && count < 2,
      refetchInterval: whileAway,
    },
  },
})

// Any 401 response shows that the session has ended. The page then asks the user to sign in again.
signIns.addEventListener('signed-out', () => void queries.invalidateQueries(signInQuery))

const language = preferredLanguage()
const words = await loadWords(language)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PreferencesProvider first={{ language, words }}>
      <QueryClientProvider client={queries}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </PreferencesProvider>
  </StrictMode>,
)
