import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { ChatbotLayout } from './chatbots/chatbot-layout.tsx'
import { ChatbotsPage } from './chatbots/chatbots-page.tsx'
import { conversationsView } from './conversations/conversations-view.ts'
import { lazyPage } from './shell/lazy-page.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { Root } from './shell/root.tsx'
import { sourcesView } from './sources/sources-view.ts'

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })

const toChatbots = () => {
  throw redirect({ to: '/chatbots' })
}
const home = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toChatbots })

// Root shows both pages at every URL to users who are not signed in. These routes redirect signed-in users.
const setup = createRoute({ getParentRoute: () => root, path: '/setup' })
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in' })

const chatbots = createRoute({
  getParentRoute: () => root,
  path: '/chatbots',
  component: ChatbotsPage,
})

const chatbot = createRoute({
  getParentRoute: () => root,
  path: '/chatbots/$uuid',
  component: ChatbotLayout,
})

const chatbotHome = createRoute({
  getParentRoute: () => chatbot,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/chatbots/$uuid/settings', params: params as { uuid: string } })
  },
})

const settings = createRoute({
  getParentRoute: () => chatbot,
  path: 'settings',
  component: lazyPage(() => import('./chatbots/settings-page.tsx'), 'SettingsPage'),
})

const sources = createRoute({
  getParentRoute: () => chatbot,
  path: 'sources',
  validateSearch: sourcesView,
  component: lazyPage(() => import('./sources/sources-page.tsx'), 'SourcesPage'),
})

const source = createRoute({
  getParentRoute: () => chatbot,
  path: 'sources/$source',
  validateSearch: (given: Record<string, unknown>) => ({
    ...citedRange(given),
    ...sourcesView(given),
  }),
  component: lazyPage(() => import('./sources/source-page.tsx'), 'SourcePage'),
})

/** The cited range in the URL, or nothing. */
function citedRange(given: Record<string, unknown>): {
  revision?: string
  start?: number
  end?: number
} {
  const { revision, start, end } = given
  if (typeof start !== 'number' || typeof end !== 'number') return {}
  return { revision: String(revision), start, end }
}

const share = createRoute({
  getParentRoute: () => chatbot,
  path: 'share',
  component: lazyPage(() => import('./chatbots/share-page.tsx'), 'SharePage'),
})

const sessions = createRoute({
  getParentRoute: () => chatbot,
  path: 'sessions',
  validateSearch: conversationsView,
  component: lazyPage(() => import('./conversations/conversations-page.tsx'), 'SessionsPage'),
})

const session = createRoute({
  getParentRoute: () => chatbot,
  path: 'sessions/$session',
  validateSearch: conversationsView,
  component: lazyPage(() => import('./conversations/transcript-page.tsx'), 'SessionPage'),
})

const unanswered = createRoute({
  getParentRoute: () => chatbot,
  path: 'unanswered',
  component: lazyPage(() => import('./conversations/unanswered-page.tsx'), 'UnansweredPage'),
})

const usage = createRoute({
  getParentRoute: () => chatbot,
  path: 'usage',
  component: lazyPage(() => import('./conversations/usage-page.tsx'), 'UsagePage'),
})

const search = createRoute({
  getParentRoute: () => chatbot,
  path: 'search',
  validateSearch: ({ question }: Record<string, unknown>): { question?: string } =>
    question === undefined ? {} : { question: String(question) },
  component: lazyPage(() => import('./chatbots/search-page.tsx'), 'SearchPage'),
})

const webhooks = createRoute({
  getParentRoute: () => chatbot,
  path: 'webhooks',
  component: lazyPage(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => chatbot,
  path: 'webhooks/$webhook',
  component: lazyPage(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyPage(() => import('./account/tokens-page.tsx'), 'TokensPage'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyPage(() => import('./account/account-page.tsx'), 'AccountPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    setup,
    signIn,
    chatbots,
    chatbot.addChildren([
      chatbotHome,
      settings,
      sources,
      source,
      share,
      sessions,
      session,
      unanswered,
      usage,
      search,
      webhooks,
      webhook,
    ]),
    tokens,
    account,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
