import { z } from 'zod'
import { ErrorBody } from './error-body.ts'
import { UuidOut } from './field.ts'
import { FinishReason } from './messages.ts'

/** What a reader of the event stream gets. `offset` is where the text begins, in bytes of the answer. */
export const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message-start'), uuid: UuidOut }),
  z.object({ type: z.literal('text-delta'), text: z.string(), offset: z.int() }),
  z.object({ type: z.literal('message-end'), uuid: UuidOut, finish_reason: FinishReason }),
  ErrorBody.extend({ type: z.literal('error'), details: z.unknown().optional() }),
])
export type StreamEvent = z.infer<typeof StreamEvent>
