import { openapi } from '@docent/server/test/routes.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Schema } from './hostile-values.ts'

/** An operation of the API description. */
export interface Operation {
  name: string
  method: string
  /** With `{uuid}` or `{model}` in the place of the identifier. */
  path: string
  /** The record of the identifier: the word before it. OpenAI's API names a chatbot as the model. */
  noun: string | undefined
  query: { name: string; required: boolean; schema: Schema }[]
  body: Schema | undefined
  isUpload: boolean
  door: 'token' | 'visitor' | 'open'
  /** By status: the allowed content types, and the check of JSON bodies. */
  replies: Map<number, { types: string[]; check: ValidateFunction | undefined }>
}

interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  security?: unknown[]
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(openapi, 'openapi')

export const operations: Operation[] = Object.entries<Record<string, Described>>(
  openapi.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    noun: nounOf(path),
    query: (described.parameters ?? [])
      .filter((each) => each.in === 'query')
      .map(({ name, required = false, schema }) => ({ name, required, schema })),
    body: described.requestBody?.content['application/json']?.schema,
    isUpload: described.requestBody?.content['multipart/form-data'] !== undefined,
    door: described.security ? (described.security[0] ? 'visitor' : 'open') : 'token',
    replies: repliesOf(path, method, described),
  })),
)

function nounOf(path: string): string | undefined {
  if (/^\/v1\/(models\/|chat\/)/.test(path)) return 'chatbot'
  return /([a-z-]+)\/\{uuid\}/.exec(path)?.[1]
}

function repliesOf(path: string, method: string, { responses }: Described): Operation['replies'] {
  return new Map(
    Object.entries(responses).map(([status, { content = {} }]) => {
      const types = Object.keys(content)
      const isJson = types.includes('application/json')
      return [Number(status), { types, check: isJson ? checkOf(path, method, status) : undefined }]
    }),
  )
}

function checkOf(path: string, method: string, status: string): ValidateFunction {
  const steps = [path, method, 'responses', status, 'content', 'application/json', 'schema']
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  const check = ajv.getSchema(`openapi#/paths/${pointer.map(encodeURIComponent).join('/')}`)
  if (!check) throw new Error(`${path} has no schema for ${status}`)
  return check
}
