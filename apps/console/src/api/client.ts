import { ApiError } from '@docent/client/http/errors.ts'
import { type Call, Transport } from '@docent/client/http/send-request.ts'
import { Sources } from '@docent/client/sources.ts'
import type { Source } from './records.ts'

/** Emits `signed-out` when the server no longer accepts the session. */
export const signIns = new EventTarget()

function noteStatus(status: number): void {
  if (status === 401) signIns.dispatchEvent(new Event('signed-out'))
}

/**
 * Calls the API as the signed-in user. The browser sends the cookie, and scripts never see it. Retries are left to the
 * queries.
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

/** A retry may help: no response, a proxy's error, or a server that is starting or overloaded. */
export function isAway(error: unknown): boolean {
  // A retry of the same report would take just as long.
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
      // Uploads with progress do not go through the `fetch` above.
      if (error instanceof ApiError) noteStatus(error.status)
      throw error
    })
}
