import { z } from 'zod'
import type { Receipt } from '../answering/citations.ts'
import { FINISH_REASONS } from '../database/tables.ts'
import { isId, normaliseId } from '../store/ids.ts'
import { PAGE_ROWS } from '../store/list-reader.ts'
import type { Message } from '../store/messages.ts'
import { exampleId, TimestampOut, UuidOut } from './common.schemas.ts'
import { ANSWER_FAILED } from './error-handler.ts'
import { timestamp } from './timestamp.ts'

const channel = z.enum(['share', 'widget']).meta({
  description: 'The share page (public chatbots) or the widget (public and hybrid ones).',
  example: 'share',
})

export const ChannelQuery = z.object({ channel })
export const NewVisit = z.object({ channel })

export const VisitorMessagesQuery = z.object({
  limit: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= PAGE_ROWS, `must be from 1 to ${PAGE_ROWS}`)
    .optional()
    .meta({ description: `At most so many; ${PAGE_ROWS} unless given.`, example: '50' }),
  before: z
    .string()
    .transform(normaliseId)
    .refine(isId, 'must be a uuid of the list')
    .optional()
    .meta({ description: 'Only what comes before this uuid.', example: exampleId }),
})

export const OpenChatbot = z
  .object({
    uuid: UuidOut,
    title: z.string().meta({ example: 'Ask the museum' }),
    greeting: z.string().meta({ example: 'Hello! What would you like to know?' }),
    suggested_questions: z.array(z.string()).meta({ example: ['When are you open?'] }),
    color: z.string().meta({ example: '#0f766e' }),
    theme: z.enum(['auto', 'light', 'dark']).meta({ example: 'auto' }),
    position: z.enum(['right', 'left']).meta({ example: 'right' }),
  })
  .meta({ id: 'OpenChatbot' })

export const VisitRecord = z
  .object({
    uuid: UuidOut,
    secret: z.string().meta({
      description: 'Reaches this session and nothing else; shown once.',
      example: 'visitor_…',
    }),
  })
  .meta({ id: 'Visit' })

const VisitorCitation = z.object({
  title: z.string().meta({ example: 'Opening hours' }),
  text: z.string().meta({ example: 'Daily from 9 to 17.' }),
  url: z.string().nullable().meta({ example: 'https://example.org/visit' }),
  page: z.int().nullable().meta({ example: null }),
})

/** Less than owners see: no model, no tokens, no ids of sources. */
export const VisitorMessage = z
  .object({
    uuid: UuidOut,
    query: z.string().meta({ example: 'When are you open?' }),
    response: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
    finish_reason: z.enum([...FINISH_REASONS, '']).meta({ example: 'stop' }),
    error_message: z.string().meta({ example: '' }),
    citations: z.record(z.string(), VisitorCitation).meta({ example: {} }),
    rating: z.enum(['up', 'down']).nullable().meta({ example: null }),
    created_at: TimestampOut,
  })
  .meta({ id: 'VisitorMessage' })

export function toVisitorMessage(message: Message): z.infer<typeof VisitorMessage> {
  const cited = JSON.parse(message.citations) as Record<string, { title: string; text: string }>
  const { receipts = {} } = JSON.parse(message.meta) as { receipts?: Record<string, Receipt> }
  const citations = Object.entries(cited).map(([marker, { title, text }]) => {
    const { url = null, page = null } = receipts[marker] ?? {}
    return [marker, { title, text, url, page }] as const
  })
  return {
    uuid: message.id,
    query: message.query,
    response: message.response,
    finish_reason: message.finish_reason,
    error_message: message.error_message === '' ? '' : ANSWER_FAILED,
    citations: Object.fromEntries(citations),
    rating: message.feedback === null ? null : JSON.parse(message.feedback).rating,
    created_at: timestamp(message.created_at),
  }
}
