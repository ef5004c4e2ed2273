import { z } from 'zod'
import { ErrorBody } from './failures/error-body.ts'
import { TimestampOut, text, UuidOut } from './field.ts'

export const FinishReason = z
  .enum(['stop', 'length', 'content_filter', 'cancelled', 'interrupted', 'error'])
  .meta({ title: 'FinishReason' })
export type FinishReason = z.infer<typeof FinishReason>

/** Empty while the answer is running. */
export const FinishReasonOrNone = z.union([FinishReason, z.literal('')])

export const Rating = z.enum(['up', 'down']).meta({ title: 'Rating' })
export type Rating = z.infer<typeof Rating>

export const Query = z.object({
  query: text({ min: 1, max: 32_000, trim: true }).meta({ example: 'When are you open?' }),
})

/** A question repeated with the same key is stored and answered once. The second request follows the same answer. */
export const QuestionHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({
      description:
        'A unique value for each question. If a request with the same value comes again in the session, the server resumes its answer from the beginning.',
      example: '019a8f3c5b7e7c41a2d3e4f5a6b7c8d9',
    }),
})

export const Feedback = z
  .object({
    rating: Rating.meta({ example: 'up' }),
    comment: text({ max: 2_000, trim: true }).optional().meta({ example: 'Just what I needed.' }),
  })
  .meta({ title: 'Feedback' })
export type Feedback = z.infer<typeof Feedback>

export const StreamQuery = z.object({
  offset: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number of bytes')
    .transform(Number)
    .optional()
    .meta({ description: 'The number of bytes already received.', example: '0' }),
})

export const CitationCheck = z
  .object({
    verified: z.boolean().meta({ description: 'Whether all citations are valid.', example: true }),
    citations: z.array(
      z.object({
        marker: z.string().meta({ example: '1.1' }),
        verified: z.boolean().meta({ example: true }),
        reason: z.enum(['source gone', 'text differs']).nullable().meta({ example: null }),
      }),
    ),
  })
  .meta({ id: 'CitationCheck' })
export type CitationCheck = z.infer<typeof CitationCheck>

/** Exactly the five fields that the published API documents for a cited passage. */
export const Citation = z.object({
  data_source_uuid: UuidOut,
  title: z.string(),
  text: z.string(),
  file_name: z.string(),
  type: z.string(),
})
export type Citation = z.infer<typeof Citation>

/** The exact position of a citation, so that readers can verify it. */
export const Receipt = z.object({
  data_source_uuid: UuidOut,
  revision: z.string(),
  start: z.int(),
  end: z.int(),
  quote: z.string().meta({ description: 'The text of the revision in this range.' }),
  page: z.int().nullable().meta({ description: 'The page from 1, or null without pages.' }),
  url: z.string().nullable(),
  score: z.number(),
})
export type Receipt = z.infer<typeof Receipt>

export const Message = z
  .object({
    uuid: UuidOut,
    query: z.string().meta({ example: 'When are you open?' }),
    response: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
    finish_reason: FinishReasonOrNone.meta({
      description: 'Empty during the answer.',
      example: 'stop',
    }),
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
export type Message = z.infer<typeof Message>

export const WholeAnswer = z.object({
  response: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
})

export const StreamedText = {
  description: 'The text of the answer as a stream. The answer ends with the connection.',
  content: {
    'text/plain': { schema: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }) },
    'text/event-stream': {
      schema: z.string().meta({
        description:
          'With Accept: text/event-stream. Events message-start, text-delta, message-end, error.',
        example: 'event: text-delta\ndata: {"type":"text-delta","text":"Daily","offset":0}\n\n',
      }),
    },
  },
}

export const Transcript = {
  description: 'The transcript.',
  content: {
    'text/plain': {
      schema: z.string().meta({
        example: 'User: When are you open?\n\nAssistant: Daily from 9 to 17.\n',
      }),
    },
  },
}

/** An event of the answer stream. `offset` is where the text begins, in bytes of the answer. */
export const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message-start'), uuid: UuidOut }),
  z.object({ type: z.literal('text-delta'), text: z.string(), offset: z.int() }),
  z.object({ type: z.literal('message-end'), uuid: UuidOut, finish_reason: FinishReason }),
  ErrorBody.extend({ type: z.literal('error'), details: z.unknown().optional() }),
])
export type StreamEvent = z.infer<typeof StreamEvent>
