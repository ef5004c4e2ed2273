import { z } from 'zod'
import { saying } from './failures/field-problem.ts'
import { text } from './field.ts'

const origin = text({ min: 1, max: 300, trim: true })
  .transform((given) => (/^https?:\/\//i.test(given) ? given : `https://${given}`))
  .refine((given) => isWebAddress(given), {
    error: 'must be the URL of a site, such as https://example.org',
    params: saying({ type: 'not_address' }),
  })
  .transform((given) => new URL(given).origin)

function isWebAddress(given: string): boolean {
  const url = URL.parse(given)
  // The host goes into a Content-Security-Policy header. Restrict its characters so that it cannot add directives.
  return url !== null && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)
}

const fields = {
  allowed_origins: z
    .array(origin)
    .max(100)
    .transform((list) => [...new Set(list)])
    .meta({
      description: 'Sites that may embed the widget. An empty list allows any site.',
      example: ['https://example.org'],
    }),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a color such as #0f766e')
    .meta({ example: '#0f766e' }),
  theme: z.enum(['auto', 'light', 'dark']).meta({ example: 'auto' }),
  position: z.enum(['right', 'left']).meta({ example: 'right' }),
  title: text({ max: 100, trim: true }).meta({
    description: 'If empty, the chatbot’s name.',
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

/** Chatbot export files contain these, too. */
export const WidgetSettings = z.object(fields)

export const WidgetUpdate = WidgetSettings.partial()
export type WidgetUpdate = z.infer<typeof WidgetUpdate>

export const Widget = WidgetSettings.extend({
  allowed_origins: z.array(z.string()).meta(fields.allowed_origins.meta()!),
}).meta({ id: 'Widget', description: 'The widget settings of a chatbot.' })
export type Widget = z.infer<typeof Widget>
