import { UuidParams } from '@docent/contract/field.ts'
import { Widget, WidgetUpdate } from '@docent/contract/widgets.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { getWidgetSettings, updateWidgetSettings } from './widgets.store.ts'

export function widgetRoutes({ db }: Services): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/chatbot/:uuid/widget', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the widget settings of a chatbot',
        params: UuidParams,
        response: { 200: Widget, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        getWidgetSettings(db, await getOwnedChatbot(db, caller.userId, params.uuid)),
    })

    app.post('/chatbot/:uuid/widget/update', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Change the widget settings of a chatbot',
        description: 'Changes only the fields in the request.',
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
