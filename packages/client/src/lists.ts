import type { Call, CallOptions, Transport } from './http/send-request.ts'
import type { Ref } from './request-types.ts'

/** Selects a page of a list. Without these options, you get the complete list. */
export interface PageOptions extends CallOptions {
  /** The maximum number of records, 1 to 1,000. */
  limit?: number | undefined
  /** Only records after this one. */
  after?: Ref | undefined
}

/** The page size when iterating over a list. */
const AT_ONCE = 200

export function uuidOf(ref: Ref): string {
  const uuid = typeof ref === 'string' ? ref : ref?.uuid
  // An empty uuid would produce the URL of another endpoint.
  if (typeof uuid !== 'string' || !/^[\w-]+$/.test(uuid)) {
    throw new TypeError(`Neither a UUID nor a record with one: ${JSON.stringify(ref)}`)
  }
  return uuid
}

export async function listPage<T>(
  transport: Transport,
  path: string,
  { limit, after, ...options }: PageOptions,
  query: Call['query'] = {},
): Promise<T[]> {
  const from = after === undefined ? undefined : uuidOf(after)
  const call: Call = { method: 'GET', path, query: { ...query, limit, after: from } }
  return transport.json<T[]>({ ...call, isRepeatable: true }, options)
}

/** Iterates over a list, page by page. */
export async function* eachOf<T>(
  transport: Transport,
  path: string,
  { limit = AT_ONCE, after, ...options }: PageOptions,
  query: Call['query'] = {},
): AsyncGenerator<T, void, undefined> {
  let from = after === undefined ? undefined : uuidOf(after)
  do {
    const call: Call = { method: 'GET', path, query: { ...query, limit, after: from } }
    const { items, next } = await transport.page<T>({ ...call, isRepeatable: true }, options)
    yield* items
    from = next
  } while (from !== undefined)
}
