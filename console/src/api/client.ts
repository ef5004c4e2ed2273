import { RequestError, requireOk } from '@docent/widget/chat/chat-api.ts'

const BASE = '/api/v1'

/** Tells `signed-out` when the server no longer knows who is calling. */
export const signIns = new EventTarget()

function refusal(error: unknown): unknown {
  if (error instanceof RequestError && error.status === 401) {
    signIns.dispatchEvent(new Event('signed-out'))
  }
  return error
}

/** Calls the interface as whoever is signed in: the browser sends the cookie, and no script ever sees it. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body)
  return (await response.json()) as T
}

export async function send(
  method: string,
  path: string,
  body?: unknown,
  options: { accept?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(BASE + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.accept !== undefined && { accept: options.accept }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  })
  return requireOk(response).catch((error) => {
    throw refusal(error)
  })
}

/** Whether asking again may help: nothing answered, or a proxy in its place, or the server is starting or too busy. */
export function isAway(error: unknown): boolean {
  return error instanceof RequestError ? error.status >= 502 && error.status <= 504 : error != null
}

export const get = <T>(path: string) => call<T>('GET', path)
export const post = <T>(path: string, body?: unknown) => call<T>('POST', path, body)

/** A file with its progress, which fetch does not tell. */
export function upload<T>(
  path: string,
  file: File,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file)
    request.open('POST', BASE + path)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status === 200) resolve(request.response)
      else reject(refusal(new RequestError(request.status, request.response ?? {})))
    }
    request.onerror = () => reject(new TypeError('network'))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
