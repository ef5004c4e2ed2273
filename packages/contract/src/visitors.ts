import { z } from 'zod'
import { exampleId, limitUpTo, TimestampOut, UuidOfList, UuidOut } from './field.ts'
import { FinishReasonOrNone, Rating } from './messages.ts'
import { Widget } from './widgets.ts'

const MOST_MESSAGES = 200

/** Where a visitor chats: on the share page or in the widget on a website. */
export const Channel = z.enum(['share', 'widget']).meta({ title: 'Channel' })
export type Channel = z.infer<typeof Channel>

const channel = Channel.meta({
  description: 'The share page (public chatbots) or the widget (public and hybrid ones).',
  example: 'share',
})

export const ChannelQuery = z.object({ channel })
export const NewVisit = z.object({ channel })

export const VisitorMessagesQuery = z.object({
  limit: limitUpTo(MOST_MESSAGES).meta({
    description: `The maximum number of messages (default: ${MOST_MESSAGES}).`,
    example: '50',
  }),
  before: UuidOfList.meta({ description: 'Only messages before this UUID.', example: exampleId }),
})

export const OpenChatbot = z
  .object({
    uuid: UuidOut,
    title: z.string().meta({ example: 'Ask the museum' }),
    greeting: z.string().meta({ example: 'Hello! What would you like to know?' }),
    suggested_questions: z.array(z.string()).meta({ example: ['When are you open?'] }),
    color: z.string().meta({ example: '#0f766e' }),
    theme: Widget.shape.theme,
    position: Widget.shape.position,
  })
  .meta({ id: 'OpenChatbot', description: 'The public details of a chatbot.' })
export type OpenChatbot = z.infer<typeof OpenChatbot>

export const Visit = z
  .object({
    uuid: UuidOut,
    secret: z.string().meta({
      description: 'The secret for this session only. Shown only once.',
      example: 'visitor_…',
    }),
  })
  .meta({
    id: 'Visit',
    description: 'A visitor’s session with its secret.',
  })
export type Visit = z.infer<typeof Visit>

const VisitorCitation = z
  .object({
    title: z.string().meta({ example: 'Opening hours' }),
    text: z.string().meta({ example: 'Daily from 9 to 17.' }),
    url: z.string().nullable().meta({ example: 'https://example.org/visit' }),
    page: z.int().nullable().meta({ example: null }),
  })
  .meta({ id: 'VisitorCitation' })

/** Excludes what only owners may see: the model, tokens and source IDs. */
export const VisitorMessage = z
  .object({
    uuid: UuidOut,
    query: z.string().meta({ example: 'When are you open?' }),
    response: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
    finish_reason: FinishReasonOrNone.meta({ example: 'stop' }),
    error_message: z.string().meta({ example: '' }),
    citations: z.record(z.string(), VisitorCitation).meta({ example: {} }),
    rating: Rating.nullable().meta({ example: null }),
    created_at: TimestampOut,
  })
  .meta({ id: 'VisitorMessage' })
export type VisitorMessage = z.infer<typeof VisitorMessage>
