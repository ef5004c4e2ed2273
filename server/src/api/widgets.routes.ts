import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { saying } from '../field-problem.ts'
import type { Services } from '../services.ts'
import { getOwnedChatbot } from '../store/chatbots.ts'
import { getWidgetSettings, updateWidgetSettings } from '../store/widgets.ts'
import { errors, text, UuidParams } from './common.schemas.ts'

const origin = text({ min: 1, max: 300, trim: true })
  .transform((given) => (/^https?:\/\//i.test(given) ? given : `https://${given}`))
  .refine((given) => isWebAddress(given), {
    error: 'must be the address of a site: https://example.org',
    params: saying({ type: 'not_address' }),
  })
  .transform((given) => new URL(given).origin)

function isWebAddress(given: string): boolean {
  const url = URL.parse(given)
  // What ends up in a policy header must not be able to say more there than a host.
  return url !== null && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)
}

const fields = {
  allowed_origins: z
    .array(origin)
    .max(100)
    .transform((list) => [...new Set(list)])
    .meta({
      description: 'Whose pages may show the widget; an empty list allows any.',
      example: ['https://example.org'],
    }),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a colour such as #0f766e')
    .meta({ example: '#0f766e' }),
  theme: z.enum(['auto', 'light', 'dark']).meta({ example: 'auto' }),
  position: z.enum(['right', 'left']).meta({ example: 'right' }),
  title: text({ max: 100, trim: true }).meta({
    description: 'Empty: the chatbot’s name.',
    example: 'Ask the museum',
  }),
  greeting: text({ max: 1_000, trim: true }).meta({
    example: 'Hello! What would you like to know?',
  }),
  suggested_questions: z
    .array(text({ min: 1, max: 200, trim: true }))
    .max(6)
    .meta({ example: ['When are you open?'] }),
}

export const Widget = z.object(fields).meta({ id: 'Widget' })
export const WidgetUpdate = z.object(fields).partial()

export function widgetRoutes({ db }: Services): FastifyPluginAsyncZod {
  const tags = ['Chatbots']

  return async (app) => {
    app.get('/chatbot/:uuid/widget', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch how a chatbot looks to visitors',
        tags,
        params: UuidParams,
        response: { 200: Widget, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        getWidgetSettings(db, await getOwnedChatbot(db, caller.userId, params.uuid)),
    })

    app.post('/chatbot/:uuid/widget/update', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Change how a chatbot looks to visitors',
        description: 'Changes only the fields that are named.',
        tags,
        params: UuidParams,
        body: WidgetUpdate,
        response: { 200: Widget, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const given = Object.entries(body).filter(([, value]) => value !== undefined)
        return updateWidgetSettings(db, chatbot, Object.fromEntries(given))
      },
    })
  }
}
