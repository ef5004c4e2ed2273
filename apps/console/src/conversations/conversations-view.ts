import { useEffect, useState } from 'react'

export const FILTERS = {
  all: {},
  widget: { channel: 'widget' },
  share: { channel: 'share' },
  api: { channel: 'api' },
  up: { rating: 'up' },
  down: { rating: 'down' },
} as const

export type ConversationFilter = keyof typeof FILTERS

/** The server's limit. */
export const LONGEST_SEARCH = 200

/** The filters of the list. They are part of the URL, so that the way back from a transcript keeps them. */
export interface ConversationsView {
  filter?: ConversationFilter
  search?: string
  /** A date such as 2026-11-15. */
  from?: string
  to?: string
}

const isFilter = (given: unknown): given is ConversationFilter =>
  typeof given === 'string' && Object.hasOwn(FILTERS, given)

export const isDay = (given: unknown): given is string =>
  typeof given === 'string' &&
  /^(?:19|20)\d\d-\d\d-\d\d$/.test(given) &&
  !Number.isNaN(Date.parse(`${given}T00:00`))

/** The view as URL parameters. Default values are left out. */
export function conversationsView({
  filter,
  search = '',
  from,
  to,
}: Record<string, unknown>): ConversationsView {
  const text = String(search).slice(0, LONGEST_SEARCH)
  return {
    ...(isFilter(filter) && filter !== 'all' && { filter }),
    ...(text !== '' && { search: text }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  }
}

/** The query parameters of the request. Days are in the user's time zone, and the last day is included. */
export function wantedOf({ filter = 'all', search, from, to }: ConversationsView) {
  return {
    ...FILTERS[filter],
    ...(search && { search }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
}

const TYPING_MS = 300

/** Debounces typed text, so that the server does not search for every letter. */
export function useTyped(text: string | undefined): string | undefined {
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}
