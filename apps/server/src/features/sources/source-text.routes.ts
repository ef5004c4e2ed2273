import { UuidParams } from '@docent/contract/field.ts'
import { Excerpt, ExcerptQuery, PassagesQuery, SourcePassage } from '@docent/contract/passages.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { notFound } from '../../errors.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { sendList } from '../../http/lists/send-list.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { type Passage, readPassages } from './passages.store.ts'
import { findRevisionRange } from './revisions.store.ts'
import { getOwnedSource } from './sources.store.ts'

/** Characters of context on each side of a passage. */
const AROUND = 1_500

const writePassage = jsonWriter(SourcePassage)

export function sourceTextRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, searchDb } = services

  return async (app) => {
    app.get('/data-source/:uuid/passages', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the passages of a source',
        params: UuidParams,
        querystring: PassagesQuery,
        response: { 200: SourcePassage.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const source = await getOwnedSource(db, caller.userId, params.uuid)
        return sendList(services, reply, {
          reader: readPassages(db, source.id),
          ownerId: caller.userId,
          ...query,
          write: (passage) => writePassage(toPassageRecord(passage)),
          confirm: () => getOwnedSource(db, caller.userId, source.id),
        })
      },
    })

    app.get('/data-source/:uuid/excerpt', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a cited range with the text around it',
        description: 'Takes the values of a citation from `meta_json.receipts` of a message.',
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

function toPassageRecord(passage: Passage): SourcePassage {
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
