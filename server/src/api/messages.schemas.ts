import { z } from 'zod'
import { FINISH_REASONS } from '../database/tables.ts'
import type { Message } from '../store/messages.ts'
import { TimestampOut, text, UuidOut } from './common.schemas.ts'
import { timestamp } from './timestamp.ts'

export const Query = z.object({
  query: text({ min: 1, max: 32_000, trim: true }).meta({ example: 'When are you open?' }),
})

/** A question that is sent again under the same key is stored and answered once, and its answer is followed. */
export const QuestionHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({
      description:
        'Of your choice, new for each question. A question that comes again with it in the same session is not asked again: the answer is followed from its beginning.',
      example: '019a8f3c5b7e7c41a2d3e4f5a6b7c8d9',
    }),
})

export const Feedback = z.object({
  rating: z.enum(['up', 'down']).meta({ example: 'up' }),
  comment: text({ max: 2_000, trim: true }).optional().meta({ example: 'Just what I needed.' }),
})

export const StreamQuery = z.object({
  offset: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number of bytes')
    .transform(Number)
    .optional()
    .meta({ description: 'How many bytes of the answer are there already.', example: '0' }),
})

export const CitationCheck = z
  .object({
    verified: z.boolean().meta({ description: 'Whether all of them are.', example: true }),
    citations: z.array(
      z.object({
        marker: z.string().meta({ example: '1.1' }),
        verified: z.boolean().meta({ example: true }),
        reason: z.enum(['source gone', 'text differs']).nullable().meta({ example: null }),
      }),
    ),
  })
  .meta({ id: 'CitationCheck' })

export const MessageRecord = z
  .object({
    uuid: UuidOut,
    query: z.string().meta({ example: 'When are you open?' }),
    response: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
    finish_reason: z
      .enum([...FINISH_REASONS, ''])
      .meta({ description: 'Empty while the answer runs.', example: 'stop' }),
    error_message: z.string().meta({ example: '' }),
    cite_data_json: z
      .string()
      .meta({ description: 'A JSON object as a string, keyed by marker.', example: '{}' }),
    meta_json: z.string().meta({ description: 'A JSON object as a string.', example: '{}' }),
    feedback_json: z.string().nullable().meta({ example: null }),
    labels: z.array(z.unknown()).meta({ example: [] }),
    session_documents: z.array(z.unknown()).meta({ example: [] }),
    background_pending_tasks: z.int().meta({ example: 0 }),
    detected_frustrations: z.string().nullable().meta({ example: null }),
    ai_context_json: z.string().meta({ example: '{}' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'Message' })

export function toMessageRecord(message: Message): z.infer<typeof MessageRecord> {
  return {
    uuid: message.id,
    query: message.query,
    response: message.response,
    finish_reason: message.finish_reason,
    error_message: message.error_message,
    cite_data_json: message.citations,
    meta_json: message.meta,
    feedback_json: message.feedback,
    // These belong to features of the published service that this one has not: its clients expect the keys.
    labels: [],
    session_documents: [],
    background_pending_tasks: 0,
    detected_frustrations: null,
    ai_context_json: '{}',
    created_at: timestamp(message.created_at),
    modified_at: timestamp(message.modified_at),
  }
}
