import { type ErrorCode, STATUS } from '@docent/contract/failures/error-codes.ts'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { API_PREFIX, apiRoutes, OPENAI_PREFIX } from '../app.ts'
import { openAiRoutes } from '../features/openai/openai.routes.ts'
import { toOpenAiError } from '../features/openai/openai-errors.ts'
import { requireTokens } from '../http/auth.ts'
import { BUILT_IN_MODEL, ModelCatalog } from '../models/model-catalog.ts'
import type { Services } from '../services.ts'

const UPLOAD_FORM = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file with its file name.' },
    reference_source_link: {
      type: 'string',
      description: 'The URL that citations link to.',
      examples: ['https://example.org/handbook'],
    },
  },
}

/**
 * The OpenAPI 3.1 description of every route under /api/v1 and /v1, generated from the schemas that validate requests.
 */
export async function describeApi(): Promise<Description> {
  const app = Fastify()
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent',
        version: '1',
        description:
          'Chatbots that answer from your sources: chatbots, data sources (web pages, question-and-answer pairs, files), sessions, and messages with streamed answers. Successful requests return status 200.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        'Chatbots',
        'Data sources',
        'Sessions',
        'Messages',
        'Insights',
        'Webhooks',
        'Account',
        'Sign-in',
        'Visitors',
        'OpenAI-compatible API',
      ].map((name) => ({ name })),
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API token with the scopes read, write and chat, or some of them. Requests that change a record and return it need both read and write.',
          },
          visitor: {
            type: 'http',
            scheme: 'bearer',
            description: 'The secret of a visitor’s session.',
          },
        },
      },
      security: [{ token: [] }],
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(
        document as Parameters<typeof jsonSchemaTransform>[0],
      )
      const { config, method } = document.route
      const body = config?.multipart ? { body: UPLOAD_FORM } : {}
      const id = document.schema.operationId ?? operationId(String(method), url)
      return { url, schema: { ...schema, ...body, operationId: id } }
    },
    transformObject: jsonSchemaTransformObject,
  })
  const services = { models: new ModelCatalog(BUILT_IN_MODEL), config: {} } as Services
  const requireToken = requireTokens(services)
  app.register(apiRoutes(services, requireToken), { prefix: API_PREFIX })
  app.register(openAiRoutes(services, requireToken), { prefix: OPENAI_PREFIX })
  await app.ready()
  const description = inJsonSchemaTerms(app.swagger()) as unknown as Description
  await app.close()
  dropUnused(description)
  sortSchemas(description)
  exemplifyFailures(description)
  return description
}

/** The generator adds an input form of every record, but no route takes them. */
function dropUnused({ components, paths }: Description): void {
  const used = JSON.stringify([paths, components])
  for (const name of Object.keys(components.schemas)) {
    if (!used.includes(`"#/components/schemas/${name}"`)) delete components.schemas[name]
  }
}

/** Without sorting, the order depends on which files load first. */
function sortSchemas({ components }: Description): void {
  const sorted = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  components.schemas = Object.fromEntries(sorted)
}

/** Shows the code of each failure and its message. */
function exemplifyFailures({ paths }: Description): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, { description, content }] of Object.entries(responses)) {
        const [code] = Object.entries(STATUS).find(([, known]) => String(known) === status) ?? []
        const body = content?.['application/json']
        if (Number(status) < 400 || !body) continue
        body.example = path.startsWith(API_PREFIX)
          ? { error: description, code, request_id: '3f0c6f5e-1a' }
          : toOpenAiError({ message: description, code: code as ErrorCode, status: Number(status) })
      }
    }
  }
}

interface Operation {
  responses: Record<
    string,
    { description: string; content?: Record<string, { example?: unknown }> }
  >
}

export interface Description {
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}

/** `post /api/v1/chatbot/{uuid}/session/create` becomes `postChatbotSessionCreate`. */
function operationId(method: string, url: string): string {
  const words = url
    .slice(API_PREFIX.length)
    .split(/[/-]/)
    .filter((word) => word !== '' && !word.startsWith(':') && !word.startsWith('{'))
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

/** OpenAPI 3.1 is JSON Schema, which has a list of `examples` but no `example`. */
function inJsonSchemaTerms(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonSchemaTerms)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => typeof inner !== 'string' || (key !== '$schema' && key !== 'id'),
  )
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === 'example' ? ['examples', [inner]] : [key, inJsonSchemaTerms(inner)],
    ),
  )
}
