import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseJson } from '../../runtime/parse-json.ts'
import { readRetryAfter } from '../../runtime/retry-after.ts'
import type { Embedder } from './embedder.ts'
import { normalize } from './vectors.ts'

const Reply = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1) })),
})

const ATTEMPTS = 3
const PASSAGES_MS = 30_000
// A user waits, and the search can find passages by words alone.
const QUESTION_MS = 5_000
const REST_MS = 30_000
const MAX_WAIT_MS = 20_000

// A retry would fail the same way, because the input is the problem.
const REFUSES_INPUT = new Set([400, 413, 422])

/** A failure that may pass. The input is not the problem. */
export class EndpointUnavailable extends Error {}

export interface Endpoint {
  baseUrl: string
  apiKey: string | undefined
  model: string
  dimensions: number
}

/** Any server with OpenAI's embeddings interface. Its address comes only from the configuration. */
export class EndpointEmbedder implements Embedder {
  readonly name: string
  readonly dimensions: number
  readonly #endpoint: Endpoint
  /** Questions skip the endpoint until this time, because it kept the last question waiting. */
  #restsUntil = 0

  constructor(endpoint: Endpoint) {
    this.name = `${endpoint.model} at ${new URL(endpoint.baseUrl).host}`
    this.dimensions = endpoint.dimensions
    this.#endpoint = endpoint
  }

  understands(): boolean {
    return true
  }

  async embedQuestion(text: string): Promise<Float32Array> {
    if (performance.now() < this.#restsUntil)
      throw new EndpointUnavailable('The embeddings endpoint recently did not respond in time')
    const signal = AbortSignal.timeout(QUESTION_MS)
    try {
      const [vector] = await this.#request([text], () => signal)
      return vector!
    } catch (error) {
      if (signal.aborted) this.#restsUntil = performance.now() + REST_MS
      throw error
    }
  }

  embedPassages(texts: string[]): Promise<Float32Array[]> {
    return this.#request(texts, () => AbortSignal.timeout(PASSAGES_MS))
  }

  async close(): Promise<void> {}

  /** `patience` limits one attempt. A question has one limit for all attempts. */
  async #request(input: string[], patience: () => AbortSignal): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      const signal = patience()
      const answer = await this.#post(input, signal).catch((error: Error) => error)
      const isFinal = attempt === ATTEMPTS || signal.aborted
      if (answer instanceof Error) {
        const reason = `The embeddings endpoint cannot be reached: ${answer.message}`
        if (isFinal) throw new EndpointUnavailable(reason)
      } else if (answer.response.ok) {
        return this.#read(answer.body, input.length)
      } else {
        const { status } = answer.response
        const reason = `The embeddings endpoint responded with status ${status}`
        if (REFUSES_INPUT.has(status)) throw new Error(reason)
        if (isFinal || !mayPass(status)) throw new EndpointUnavailable(reason)
      }
      const after = answer instanceof Error ? null : answer.response.headers.get('retry-after')
      await sleep(waitFor(after, attempt), undefined, { signal }).catch(() => {})
    }
  }

  async #post(input: string[], signal: AbortSignal): Promise<{ response: Response; body: string }> {
    const { baseUrl, apiKey, model } = this.#endpoint
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal,
    })
    return { response, body: await response.text() }
  }

  #read(body: string, count: number): Float32Array[] {
    const parsed = Reply.safeParse(parseJson(body))
    if (!parsed.success || parsed.data.data.length !== count) {
      throw new EndpointUnavailable('The embeddings endpoint did not return embeddings')
    }
    const inOrder = parsed.data.data.toSorted((a, b) => a.index - b.index)
    return inOrder.map(({ embedding }) => {
      if (embedding.length !== this.dimensions) {
        const given = embedding.length
        throw new EndpointUnavailable(
          `The embeddings have ${given} dimensions, not ${this.dimensions}`,
        )
      }
      return normalize(Float32Array.from(embedding))
    })
  }
}

/** Failures that a retry may fix soon. Others need a new key or address. */
function mayPass(status: number): boolean {
  return status === 429 || status >= 500
}

function waitFor(after: string | null, attempt: number): number {
  return Math.min(readRetryAfter(after) ?? 500 * 2 ** (attempt - 1), MAX_WAIT_MS)
}
