import type { Call, CallOptions, Transport } from './http/send-request.ts'
import type { Ref } from './request-types.ts'

/** Which part of a list; without it the list is complete. */
export interface PageOptions extends CallOptions {
  /** At most so many, 1 to 1,000. */
  limit?: number | undefined
  /** Only what comes after this record. */
  after?: Ref | undefined
}

/** How many are asked for at once where a list is walked through. */
const AT_ONCE = 200

export function uuidOf(ref: Ref): string {
  const uuid = typeof ref === 'string' ? ref : ref?.uuid
  // An empty one would make an address of something else.
  if (typeof uuid !== 'string' || !/^[\w-]+$/.test(uuid)) {
    throw new TypeError(`Not a uuid, and not a record that has one: ${JSON.stringify(ref)}`)
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

/** Every record of a list, asked for page by page. */
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
