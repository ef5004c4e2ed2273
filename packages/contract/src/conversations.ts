import { z } from 'zod'
import { LastMoment, Moment } from './date-input.ts'
import { numberUpTo, TimestampOut, text, UuidOfList, UuidOut } from './field.ts'
import { FinishReasonOrNone, Rating } from './messages.ts'

const channel = z.enum(['api', 'share', 'widget']).meta({ example: 'widget' })

const ConversationFilters = z.object({
  channel: channel.optional(),
  rating: Rating.optional().meta({
    description: 'Only conversations with an answer of this rating.',
    example: 'down',
  }),
  search: text({ max: 200 }).optional().meta({
    description:
      'Only conversations with a message that contains all of these words, in upper or lower case. With a rating, in the rated message.',
    example: 'ticket groups',
  }),
  from: Moment.optional().meta({
    description: 'Only conversations with messages on or after this time.',
    example: '2026-11-15T00:00:00Z',
  }),
  to: LastMoment.optional().meta({
    description: 'Only conversations that began at or before this time.',
    example: '2026-11-16T00:00:00Z',
  }),
})

export const ConversationsQuery = ConversationFilters.extend({
  limit: numberUpTo(200, 50).meta({ example: '50' }),
  before: UuidOfList.meta({ description: 'Only entries after this UUID in the list.' }),
})

export const ExportQuery = ConversationFilters.extend({
  format: z.enum(['csv', 'jsonl']).default('csv').meta({ example: 'csv' }),
})
export type ExportQuery = z.infer<typeof ExportQuery>

export const Conversation = z
  .object({
    uuid: UuidOut,
    created_at: TimestampOut,
    modified_at: TimestampOut,
    channel,
    messages: z.int().meta({ example: 3 }),
    first_question: z.string().meta({ example: 'When are you open?' }),
    rated_up: z.int().meta({ example: 1 }),
    rated_down: z.int().meta({ example: 0 }),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>

/** The key order is the column order of the CSV export. The last column is a list. */
export const ExportedMessage = z
  .object({
    session_uuid: UuidOut,
    uuid: UuidOut,
    created_at: TimestampOut,
    channel,
    question: z.string().meta({ example: 'When are you open?' }),
    answer: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
    finish_reason: FinishReasonOrNone.meta({ example: 'stop' }),
    error_message: z.string().meta({ example: '' }),
    answered: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the sources had an answer, if known.', example: true }),
    confidence: z.number().nullable().meta({ example: 0.93 }),
    rating: Rating.nullable().meta({ example: 'up' }),
    comment: z.string().nullable().meta({ example: null }),
    model: z.string().nullable().meta({ example: 'docent-quote' }),
    prompt_tokens: z.int().nullable().meta({ example: 420 }),
    completion_tokens: z.int().nullable().meta({ example: 12 }),
    sources: z
      .array(z.object({ title: z.string(), url: z.string().nullable() }))
      .meta({ description: 'The cited sources.', example: [{ title: 'Hours', url: null }] }),
  })
  .meta({
    id: 'ExportedMessage',
    description: 'One message of exported conversations.',
  })
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedConversations = {
  description:
    'One row per message or, with format=jsonl, one line of JSON. If the export fails, the connection breaks.',
  content: {
    'text/csv': {
      schema: z.string().meta({
        description:
          'UTF-8 with a byte order mark. A cell that a spreadsheet would calculate has an apostrophe before it.',
        example: 'session_uuid,uuid,created_at,channel,question,answer,finish_reason\r\n',
      }),
    },
    'application/x-ndjson': { schema: ExportedMessage },
  },
}
