import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { API_PREFIX, apiRoutes } from './app.ts'
import { BUILT_IN_MODEL, ModelCatalogue } from './models/catalogue.ts'
import type { Services } from './services.ts'

const UPLOAD_FORM = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file, with its name.' },
    reference_source_link: { type: 'string', description: 'Where readers of a citation find it.' },
  },
}

type Json = Record<string, unknown>

/** The OpenAPI 3.1 description of every route under /api/v1, made from the schemas that the routes validate with. */
export async function describeApi(): Promise<Json> {
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
          'Chatbots that answer from your sources: chatbots, data sources (web pages, question-and-answer pairs, files), sessions, and messages with streamed answers. Success is always status 200.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: ['Chatbots', 'Data sources', 'Sessions', 'Messages', 'Account'].map((name) => ({
        name,
      })),
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
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
      return { url, schema: { ...schema, ...body, operationId: operationId(String(method), url) } }
    },
    transformObject: jsonSchemaTransformObject,
  })
  const services = { models: new ModelCatalogue(BUILT_IN_MODEL), config: {} } as Services
  app.register(apiRoutes(services), { prefix: API_PREFIX })
  await app.ready()
  const description = inJsonSchemaTerms(app.swagger()) as Json
  await app.close()
  return description
}

/** `post /api/v1/chatbot/{uuid}/session/create` is `postChatbotSessionCreate`. */
function operationId(method: string, url: string): string {
  const words = url
    .slice(API_PREFIX.length)
    .split(/[/-]/)
    .filter((word) => word !== '' && !word.startsWith(':') && !word.startsWith('{'))
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}

/** OpenAPI 3.1 is JSON Schema, which has `examples`, a list, and nothing else of that name. */
function inJsonSchemaTerms(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inJsonSchemaTerms)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== '$schema' && key !== 'id')
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === 'example' ? ['examples', [inner]] : [key, inJsonSchemaTerms(inner)],
    ),
  )
}
