import { infiniteQueryOptions, type Query, queryOptions } from '@tanstack/react-query'
import { minutesAheadOfUtc } from '../format.ts'
import { get, isAway, post } from './client.ts'
import {
  type Answering,
  type Chatbot,
  type ConversationRecord,
  type DayOfUse,
  type Delivery,
  type FoundPassage,
  isWorking,
  type Message,
  type Model,
  type MonthOfUse,
  type SignInState,
  type Source,
  type StorageUse,
  type Token,
  type UnansweredQuestion,
  type Webhook,
  type Widget,
} from './records.ts'

const WHILE_WORKING_MS = 1_000
const WHILE_AWAY_MS = 3_000

/** A restarting server is usually back within seconds. */
export const whileAway = ({ state }: Pick<Query, 'state'>) =>
  isAway(state.error) ? WHILE_AWAY_MS : false

export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get<SignInState>('/auth/state'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const storageQuery = queryOptions({
  queryKey: ['storage'],
  queryFn: () => get<StorageUse>('/user/use'),
})

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => get<Model[]>('/models'),
})

export const chatbotsQuery = queryOptions({
  queryKey: ['chatbots'],
  queryFn: () => get<Chatbot[]>('/chatbots'),
})

export const chatbotQuery = (uuid: string) =>
  queryOptions({ queryKey: ['chatbot', uuid], queryFn: () => get<Chatbot>(`/chatbot/${uuid}`) })

export const widgetQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['widget', uuid],
    queryFn: () => get<Widget>(`/chatbot/${uuid}/widget`),
  })

export const answeringQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['answering', uuid],
    queryFn: () => get<Answering>(`/chatbot/${uuid}/answering`),
  })

/** Polls every second while a source is being processed. */
export const sourcesQuery = (chatbot: string) =>
  queryOptions({
    queryKey: ['sources', chatbot],
    queryFn: () => get<Source[]>(`/chatbot/${chatbot}/data-sources`),
    refetchInterval: (query) =>
      query.state.data?.some(isWorking) ? WHILE_WORKING_MS : whileAway(query),
  })

export const sourceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['source', uuid],
    queryFn: () => get<Source>(`/data-source/${uuid}`),
    refetchInterval: (query) =>
      query.state.data && isWorking(query.state.data) ? WHILE_WORKING_MS : whileAway(query),
  })

/** Newest first, page by page. */
export const conversationsQuery = (chatbot: string, wanted: Record<string, string>) =>
  pagesOf<ConversationRecord>(['conversations', chatbot, wanted], 'before', (page) =>
    get(`/chatbot/${chatbot}/conversations?${new URLSearchParams({ ...wanted, ...page })}`),
  )

export const deliveriesQuery = (webhook: string) =>
  pagesOf<Delivery>(['deliveries', webhook], 'after', (page) =>
    get(`/webhook/${webhook}/deliveries?${new URLSearchParams({ order: 'newest', ...page })}`),
  )

const A_PAGE = 50

function pagesOf<Item extends { uuid: string }>(
  queryKey: readonly unknown[],
  cursor: 'before' | 'after',
  fetchPage: (page: Record<string, string>) => Promise<Item[]>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      fetchPage({ limit: String(A_PAGE), ...(pageParam && { [cursor]: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < A_PAGE ? undefined : page.at(-1)!.uuid),
  })
}

export const webhooksQuery = (chatbot: string) =>
  queryOptions({
    queryKey: ['webhooks', chatbot],
    queryFn: () => get<Webhook[]>(`/chatbot/${chatbot}/webhooks`),
  })

/** Always stale, because the sources may have changed. */
export const searchQuery = (chatbot: string, query: string) =>
  queryOptions({
    queryKey: ['search', chatbot, query],
    queryFn: () => post<FoundPassage[]>(`/chatbot/${chatbot}/search`, { query }),
    enabled: query !== '',
    staleTime: 0,
  })

export const monthQuery = (chatbot: string) =>
  queryOptions({
    queryKey: ['month', chatbot],
    queryFn: () => get<MonthOfUse>(`/chatbot/${chatbot}/usage`),
  })

export const messagesQuery = (session: string) =>
  queryOptions({
    queryKey: ['messages', session],
    queryFn: () => get<Message[]>(`/session/${session}/messages`),
  })

export const unansweredQuery = (chatbot: string) =>
  queryOptions({
    queryKey: ['unanswered', chatbot],
    queryFn: () => get<UnansweredQuestion[]>(`/chatbot/${chatbot}/unanswered`),
  })

export const usageQuery = (chatbot: string, days: number) =>
  queryOptions({
    queryKey: ['usage', chatbot, days],
    queryFn: () =>
      get<DayOfUse[]>(
        `/chatbot/${chatbot}/usage/days?days=${days}&utc_offset=${minutesAheadOfUtc()}`,
      ),
  })

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () => get<Token[]>('/tokens'),
})
