import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './harness.ts'

export interface Route {
  method: string
  /** Has `{uuid}` in the place of an identifier. */
  path: string
  /** The kind of record that the identifier belongs to. */
  noun: Noun | undefined
  /** A valid body, if the route takes one. */
  body: unknown
  takesUuids: boolean
  statuses: string[]
}

export type Noun = 'chatbot' | 'source' | 'session' | 'message' | 'token' | 'webhook'

const file = join(import.meta.dirname, '../../../docs/openapi.json')
export const openapi = JSON.parse(readFileSync(file, 'utf8'))

/** Every route under /api/v1, from the generated description. The routes under /v1 have their own test. */
export const allRoutes: Described[] = Object.entries<Record<string, Operation>>(openapi.paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const body = exampleOf(operation.requestBody?.content['application/json']?.schema)
      return {
        method: method.toUpperCase(),
        path: path.replace('/api/v1', ''),
        noun: nounOf(path),
        body,
        takesUuids: /s\/(delete|settle)$|re-scrape$/.test(path),
        statuses: Object.keys(operation.responses),
        // Operations without a security entry need a token.
        door: operation.security ? (operation.security[0] ? 'visitor' : 'open') : 'token',
      }
    }),
  )

/** Routes that need a token. */
export const routes: Route[] = allRoutes.filter(({ door }) => door === 'token')

export interface Described extends Route {
  /** The credentials that the route requires. */
  door: 'token' | 'visitor' | 'open'
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
  security?: unknown[]
}

function exampleOf(schema: Schema | undefined): unknown {
  if (!schema) return undefined
  if (schema.examples) return schema.examples[0]
  const required = Object.entries(schema.properties ?? {}).filter(([key]) =>
    schema.required?.includes(key),
  )
  return Object.fromEntries(required.map(([key, inner]) => [key, exampleOf(inner)]))
}

function nounOf(path: string): Noun | undefined {
  const [, word] =
    /\/api\/v1\/(chatbot|data-source|session|message|token|webhook)\/\{uuid\}/.exec(path) ?? []
  return word === 'data-source' ? 'source' : (word as Noun | undefined)
}

/** A record of each kind, owned by the client's user. */
export async function makeRecords(
  client: Client,
  settings: object = {},
): Promise<Record<Noun, string>> {
  const chatbot = await client.createChatbot(settings)
  const source = await client.createPair(chatbot, 'When?', 'Now.')
  const session = await client.createSession(chatbot)
  const response = await client.ask(session, 'When?')
  await response.text()
  const token = (await client.json('POST', '/token/create', { name: 'spare' })).body.uuid
  const { body } = await client.json('POST', `/chatbot/${chatbot}/webhook/create`, {
    url: 'https://hooks.invalid/',
  })
  const message = response.headers.get('x-message-uuid')!
  return { chatbot, source, session, message, token, webhook: body.uuid }
}

/** Queries that some routes require. */
const QUERIES: Record<string, string> = { excerpt: '?revision=x&start=0&end=1' }

export function call(
  client: Client,
  route: Route,
  uuid: string,
  body = route.body,
): Promise<Response> {
  const query = QUERIES[route.path.split('/').at(-1)!]
  if (query) return client.send(route.method, route.path.replace('{uuid}', uuid) + query)
  if (route.path.endsWith('/upload')) {
    const form = new FormData()
    form.set('file', new Blob(['text']), 'a.txt')
    return client.send(route.method, route.path.replace('{uuid}', uuid), form)
  }
  return client.send(route.method, route.path.replace('{uuid}', uuid), body)
}
