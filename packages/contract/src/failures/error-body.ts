import { z } from 'zod'

/** The body of every error response under /api/v1. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A sentence.', example: 'There is no such chatbot.' }),
    code: z.string().meta({ example: 'not_found' }),
    request_id: z.string().meta({ example: '3f0c6f5e-1a' }),
    params: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: 'Details of the code.', example: { megabytes: 50 } }),
    details: z
      .union([z.array(z.unknown()), z.looseObject({ limit: z.string() })])
      .optional()
      .meta({ example: [{ loc: ['body', 'name'], msg: 'must not be empty', type: 'empty' }] }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof ErrorBody>
