import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from './harness.ts'

export interface Route {
  method: string
  /** With `{uuid}` where an identifier goes. */
  path: string
  /** Which kind of record the identifier is of. */
  noun: Noun | undefined
  /** A body that the route accepts, if it takes one. */
  body: unknown
  takesUuids: boolean
  statuses: string[]
}

export type Noun = 'chatbot' | 'source' | 'session' | 'message' | 'webhook'

const file = join(import.meta.dirname, '../../docs/openapi.json')
export const openapi = JSON.parse(readFileSync(file, 'utf8'))

/** Every route behind a token, from the description that is generated from the routes themselves. */
export const routes: Route[] = Object.entries<Record<string, Operation>>(openapi.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const body = exampleOf(operation.requestBody?.content['application/json']?.schema)
      return {
        method: method.toUpperCase(),
        path: path.replace('/api/v1', ''),
        noun: nounOf(path),
        body,
        takesUuids: path.endsWith('s/delete') || path.endsWith('re-scrape'),
        statuses: Object.keys(operation.responses),
      }
    }),
)

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
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
    /\/api\/v1\/(chatbot|data-source|session|message|webhook)\/\{uuid\}/.exec(path) ?? []
  return word === 'data-source' ? 'source' : (word as Noun | undefined)
}

/** One record of each kind, belonging to the client's user. */
export async function makeRecords(client: Client): Promise<Record<Noun, string>> {
  const chatbot = await client.createChatbot()
  const source = await client.createPair(chatbot, 'When?', 'Now.')
  const session = await client.createSession(chatbot)
  const response = await client.ask(session, 'When?')
  await response.text()
  const { body } = await client.json('POST', `/chatbot/${chatbot}/webhook/create`, {
    url: 'https://hooks.invalid/',
  })
  const message = response.headers.get('x-message-uuid')!
  return { chatbot, source, session, message, webhook: body.uuid }
}

export function call(
  client: Client,
  route: Route,
  uuid: string,
  body = route.body,
): Promise<Response> {
  if (route.path.endsWith('/upload')) {
    const form = new FormData()
    form.set('file', new Blob(['text']), 'a.txt')
    return client.send(route.method, route.path.replace('{uuid}', uuid), form)
  }
  return client.send(route.method, route.path.replace('{uuid}', uuid), body)
}
