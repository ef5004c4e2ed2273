import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'
import {
  type Chatbot,
  type ConversationRecord,
  type DayOfUse,
  isWorking,
  type Message,
  type Model,
  type SignInState,
  type Source,
  type Token,
  type UnansweredQuestion,
  type Widget,
} from './records.ts'

const WHILE_WORKING_MS = 1_000

export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get<SignInState>('/auth/state'),
  staleTime: Number.POSITIVE_INFINITY,
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

/** Asked for again every second for as long as any source is being taken in. */
export const sourcesQuery = (chatbot: string) =>
  queryOptions({
    queryKey: ['sources', chatbot],
    queryFn: () => get<Source[]>(`/chatbot/${chatbot}/data-sources`),
    refetchInterval: ({ state }) => (state.data?.some(isWorking) ? WHILE_WORKING_MS : false),
  })

export const sourceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['source', uuid],
    queryFn: () => get<Source>(`/data-source/${uuid}`),
    refetchInterval: ({ state }) =>
      state.data && isWorking(state.data) ? WHILE_WORKING_MS : false,
  })

export const conversationsPage = (chatbot: string, before: string | undefined) =>
  get<ConversationRecord[]>(
    `/chatbot/${chatbot}/conversations?limit=${CONVERSATIONS_A_PAGE}${before ? `&before=${before}` : ''}`,
  )
export const CONVERSATIONS_A_PAGE = 50

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
    queryFn: () => get<DayOfUse[]>(`/chatbot/${chatbot}/usage/days?days=${days}`),
  })

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () => get<Token[]>('/tokens'),
})
