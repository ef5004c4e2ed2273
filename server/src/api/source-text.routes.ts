import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { notFound } from '../errors.ts'
import type { Services } from '../services.ts'
import { type Passage, readPassages } from '../store/passages.ts'
import { findRevisionRange } from '../store/revisions.ts'
import { getOwnedSource } from '../store/sources.ts'
import { errors, UuidParams } from './common.schemas.ts'
import { sendList } from './send-list.ts'

/** How much of the text around a passage is shown with it. */
const AROUND = 1_500

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

const PassagesQuery = z.object({
  limit: wholeNumber
    .refine((n) => n >= 1 && n <= 1000, 'must be from 1 to 1,000')
    .optional()
    .meta({ description: 'At most so many; without it the list is complete.', example: '100' }),
  after: wholeNumber
    .optional()
    .meta({ description: 'Only what comes after the passage of this id.', example: '17' }),
})

export const PassageRecord = z
  .object({
    id: z.int().meta({ example: 17 }),
    revision: z.string().meta({ description: 'The hash of the text that it is a piece of.' }),
    start: z.int().meta({ description: 'In UTF-16 units of that text.', example: 0 }),
    end: z.int().meta({ example: 19 }),
    text: z.string().meta({ example: 'Daily from 9 to 17.' }),
    page: z.int().nullable().meta({ description: 'Of a document with pages.', example: null }),
    page_url: z.string().meta({ description: 'Of a source that is a site.', example: '' }),
  })
  .meta({ id: 'Passage' })

const ExcerptQuery = z.object({
  revision: z.string().meta({ example: '9f86d081884c7d65' }),
  start: wholeNumber.meta({ example: '0' }),
  end: wholeNumber.meta({ example: '19' }),
})

export const Excerpt = z
  .object({
    before: z.string().meta({ example: '# Opening hours\n\n' }),
    text: z.string().meta({ example: 'Daily from 9 to 17.' }),
    after: z.string().meta({ example: '' }),
  })
  .meta({ id: 'Excerpt' })

export function sourceTextRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, searchDb } = services
  const tags = ['Data sources']

  return async (app) => {
    app.get('/data-source/:uuid/passages', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the passages that a source became',
        tags,
        params: UuidParams,
        querystring: PassagesQuery,
        response: { 200: z.array(PassageRecord), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const source = await getOwnedSource(db, caller.userId, params.uuid)
        return sendList(services, reply, {
          reader: readPassages(db, source.id),
          ownerId: caller.userId,
          ...query,
          write: (passage) => JSON.stringify(toPassageRecord(passage)),
          confirm: () => getOwnedSource(db, caller.userId, source.id),
        })
      },
    })

    app.get('/data-source/:uuid/excerpt', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a cited range with the text around it',
        description: 'Takes what `meta_json.receipts` of a message says of a citation.',
        tags,
        params: UuidParams,
        querystring: ExcerptQuery,
        response: { 200: Excerpt, ...errors(404, 422) },
      },
      handler: async ({ caller, params, query: { revision, start, end } }) => {
        const source = await getOwnedSource(db, caller.userId, params.uuid)
        const first = Math.max(0, start - AROUND)
        const range = { start: first, end: end + AROUND }
        const text = await findRevisionRange(searchDb, source.id, revision, range)
        if (text === undefined) throw notFound('revision')
        return {
          before: text.slice(0, start - first).toWellFormed(),
          text: text.slice(start - first, end - first).toWellFormed(),
          after: text.slice(end - first).toWellFormed(),
        }
      },
    })
  }
}

function toPassageRecord(passage: Passage): z.infer<typeof PassageRecord> {
  return {
    id: passage.id,
    revision: passage.revision,
    start: passage.starts_at,
    end: passage.ends_at,
    text: passage.text,
    page: passage.page,
    page_url: passage.page_url,
  }
}
