import type { Call } from './send-request.ts'

/** A file that can be read several times. `openFile` of `@docent/client/node` creates it. */
export interface FileToSend {
  name: string
  /** Size in bytes, if known. */
  size?: number | undefined
  stream(): ReadableStream<Uint8Array>
}

/** The content of a file. A stream can be read only once, so its upload is never retried. */
export type Uploadable = Blob | FileToSend | ReadableStream<Uint8Array>

export interface UploadProgress {
  /** Bytes of the request sent so far. */
  sent: number
  /** Total bytes, if known. */
  total: number | undefined
}

export interface UploadParts {
  name: string
  file: Uploadable
  /** The link that readers of a citation get. */
  referenceSourceLink: string | undefined
}

const FIELD = 'reference_source_link'

/** Browsers stream request bodies only over HTTP/2, which self-hosted servers often lack. */
export function canStreamBodies(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } }
  return !/Mozilla/.test(navigator?.userAgent ?? '')
}

export function nameOf(file: Uploadable, given: string | undefined): string {
  const name = given ?? ('name' in file && typeof file.name === 'string' ? file.name : undefined)
  if (name) return name
  throw new TypeError('A file needs a name. Give it with the option "name".')
}

/** A multipart form written while it is sent, so a large file never has to fit into memory. */
export function streamedForm(
  { name, file, referenceSourceLink }: UploadParts,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): NonNullable<Call['body']> {
  const boundary = `docent-${crypto.getRandomValues(new Uint32Array(4)).join('')}`
  const encode = (text: string) => new TextEncoder().encode(text)
  const part = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const link =
    referenceSourceLink === undefined
      ? ''
      : `${part(`name="${FIELD}"`)}\r\n${referenceSourceLink}\r\n`
  const head = encode(
    `${link}${part(`name="file"; filename="${encodeName(name)}"`)}Content-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = encode(`\r\n--${boundary}--\r\n`)
  const size = 'size' in file ? file.size : undefined
  const total = size === undefined ? undefined : head.length + size + tail.length
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return () => {
    const content = file instanceof ReadableStream ? file : file.stream()
    const chunks = bytesOf(head, content, tail)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) {
          controller.close()
          return
        }
        controller.enqueue(value)
        sent += value.length
        onProgress?.({ sent, total })
      },
      async cancel() {
        await chunks.return(undefined)
      },
    })
    return { body, headers }
  }
}

async function* bytesOf(
  head: Uint8Array,
  content: ReadableStream<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head
  const reader = content.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    reader.cancel().catch(() => {})
  }
  yield tail
}

/**
 * The server decodes names that are percent-encoded as a whole. Plain form names are ambiguous: browsers send `%22` for
 * a quote, which looks the same as a name that contains `%22`. Line breaks have the same problem.
 */
function encodeName(name: string): string {
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(name))
  return encodeURIComponent(wellFormed).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
}

/** A form that the browser encodes. */
export async function browserForm({
  name,
  file,
  referenceSourceLink,
}: UploadParts): Promise<FormData> {
  const blob =
    file instanceof Blob
      ? file
      : await new Response(file instanceof ReadableStream ? file : file.stream()).blob()
  const form = new FormData()
  if (referenceSourceLink !== undefined) form.set(FIELD, referenceSourceLink)
  form.set('file', blob, encodeName(name))
  return form
}

export interface SentForm {
  status: number
  text: string
  header: (name: string) => string | null
}

/** `fetch` does not report upload progress, `XMLHttpRequest` does. */
export function sendByXhr(
  url: string,
  headers: Record<string, string>,
  form: FormData,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal | undefined,
): Promise<SentForm> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const onAbort = () => request.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      onProgress({ sent: loaded, total: lengthComputable ? total : undefined })
    request.onload = () =>
      resolve({
        status: request.status,
        text: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onabort = () => reject(signal?.reason)
    request.onerror = () => reject(new TypeError('The connection broke.'))
    request.onloadend = () => signal?.removeEventListener('abort', onAbort)
    request.send(form)
  })
}
