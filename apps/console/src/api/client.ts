import { ApiError } from '@docent/client/http/errors.ts'
import { type Call, Transport } from '@docent/client/http/send-request.ts'
import { Sources } from '@docent/client/sources.ts'
import type { Source } from './records.ts'

/** Tells `signed-out` when the server no longer knows who is calling. */
export const signIns = new EventTarget()

function noteStatus(status: number): void {
  if (status === 401) signIns.dispatchEvent(new Event('signed-out'))
}

/**
 * Calls the interface as whoever is signed in: the browser sends the cookie, and no script ever sees it. What is worth
 * asking for again, the queries know.
 */
export const transport = new Transport({
  retries: 0,
  timeout: 0,
  fetch: async (...request) => {
    const response = await fetch(...request)
    noteStatus(response.status)
    return response
  },
})

export const call = <T>(method: Call['method'], path: string, json?: unknown) =>
  transport.json<T>({ method, path, json })
export const get = <T>(path: string) => call<T>('GET', path)
export const post = <T>(path: string, body?: unknown) => call<T>('POST', path, body)

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether asking again may help: nothing answered, or a proxy in its place, or the server is starting or too busy. */
export function isAway(error: unknown): boolean {
  // The same report would take as long again.
  if (error instanceof ApiError && error.code === 'took_too_long') return false
  return error instanceof ApiError ? error.status >= 502 && error.status <= 504 : error != null
}

export function upload(
  chatbot: string,
  file: File,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Source> {
  return new Sources(transport)
    .upload(chatbot, file, {
      signal,
      onProgress: ({ sent, total }) => onProgress(total ? sent / total : 0),
    })
    .catch((error) => {
      // With its progress it is not sent by fetch.
      if (error instanceof ApiError) noteStatus(error.status)
      throw error
    })
}
