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

/** As much as the server looks for. */
export const LONGEST_SEARCH = 200

/** Which conversations are shown. It stands in the address, and comes along to a transcript and back. */
export interface ConversationsView {
  filter?: ConversationFilter
  search?: string
  /** Days, as 2026-11-15. */
  from?: string
  to?: string
}

const isFilter = (given: unknown): given is ConversationFilter =>
  typeof given === 'string' && Object.hasOwn(FILTERS, given)

export const isDay = (given: unknown): given is string =>
  typeof given === 'string' &&
  /^(?:19|20)\d\d-\d\d-\d\d$/.test(given) &&
  !Number.isNaN(Date.parse(`${given}T00:00`))

/** As an address names it; what is usual is left out. */
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

/** What the server is asked for. Days are those of the reader, the last one to its end. */
export function wantedOf({ filter = 'all', search, from, to }: ConversationsView) {
  return {
    ...FILTERS[filter],
    ...(search && { search }),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
  }
}

const TYPING_MS = 300

/** What is typed, once nothing has been typed for a moment: the server need not look for every letter. */
export function useTyped(text: string | undefined): string | undefined {
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return typed
}
