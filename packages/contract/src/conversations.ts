import { z } from 'zod'
import { numberUpTo, TimestampOut, text, UuidOfList, UuidOut } from './field.ts'
import { FinishReasonOrNone, Rating } from './messages.ts'
import { LastMoment, Moment } from './moment.ts'

const channel = z.enum(['api', 'share', 'widget']).meta({ example: 'widget' })

const ConversationFilters = z.object({
  channel: channel.optional(),
  rating: Rating.optional().meta({
    description: 'Only those with an answer that was rated so.',
    example: 'down',
  }),
  search: text({ max: 200 }).optional().meta({
    description:
      'Only those with a message that has all of these words in its question or answer, in large or small letters; with a rating, in the message that was rated.',
    example: 'ticket groups',
  }),
  from: Moment.optional().meta({
    description: 'Only those that were not over before.',
    example: '2026-11-15T00:00:00Z',
  }),
  to: LastMoment.optional().meta({
    description: 'Only those that had begun by then.',
    example: '2026-11-16T00:00:00Z',
  }),
})

export const ConversationsQuery = ConversationFilters.extend({
  limit: numberUpTo(200, 50).meta({ example: '50' }),
  before: UuidOfList.meta({ description: 'Only what comes after this uuid in the list.' }),
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
      .meta({ description: 'Whether the sources held it, where that is known.', example: true }),
    confidence: z.number().nullable().meta({ example: 0.93 }),
    rating: Rating.nullable().meta({ example: 'up' }),
    comment: z.string().nullable().meta({ example: null }),
    model: z.string().nullable().meta({ example: 'docent-quote' }),
    prompt_tokens: z.int().nullable().meta({ example: 420 }),
    completion_tokens: z.int().nullable().meta({ example: 12 }),
    sources: z
      .array(z.object({ title: z.string(), url: z.string().nullable() }))
      .meta({ description: 'Those that are cited.', example: [{ title: 'Hours', url: null }] }),
  })
  .meta({
    id: 'ExportedMessage',
    description: 'One message in a line of exported conversations.',
  })
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedConversations = {
  description:
    'A row for each message or, with format=jsonl, a line of JSON. Whatever is not whole is cut off.',
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
