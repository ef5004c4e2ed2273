import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapi } from '../routes.ts'
import type { Schema } from './hostile-values.ts'

/** One operation of the interface, as its description has it. */
export interface Operation {
  name: string
  method: string
  /** With `{uuid}` where an identifier goes. */
  path: string
  /** What the identifier is of: the word before it. */
  noun: string | undefined
  query: { name: string; required: boolean; schema: Schema }[]
  body: Schema | undefined
  isUpload: boolean
  door: 'token' | 'visitor' | 'open'
  /** By status: the check of a JSON reply, or undefined for one that is text. */
  replies: Map<number, ValidateFunction | undefined>
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
    noun: /([a-z-]+)\/\{uuid\}/.exec(path)?.[1],
    query: (described.parameters ?? [])
      .filter((each) => each.in === 'query')
      .map(({ name, required = false, schema }) => ({ name, required, schema })),
    body: described.requestBody?.content['application/json']?.schema,
    isUpload: described.requestBody?.content['multipart/form-data'] !== undefined,
    door: described.security ? (described.security[0] ? 'visitor' : 'open') : 'token',
    replies: repliesOf(path, method, described),
  })),
)

function repliesOf(path: string, method: string, { responses }: Described): Operation['replies'] {
  return new Map(
    Object.entries(responses).map(([status, { content }]) => {
      if (!content?.['application/json']) return [Number(status), undefined]
      const steps = [path, method, 'responses', status, 'content', 'application/json', 'schema']
      const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
      const check = ajv.getSchema(`openapi#/paths/${pointer.map(encodeURIComponent).join('/')}`)
      if (!check) throw new Error(`${path} has no schema for ${status}`)
      return [Number(status), check]
    }),
  )
}
