import { normalizeId, PageQuery, Success, UuidList, UuidParams } from '@docent/contract/field.ts'
import {
  QaSource,
  ReadingChange,
  RescrapeResult,
  Source,
  SourceUpdate,
  UrlSource,
} from '@docent/contract/sources.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import { addDeletionRoutes } from '../../http/lists/deletion-routes.ts'
import { sendList } from '../../http/lists/send-list.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { receiveUpload } from './receive-upload.ts'
import { refuseReading, toSourceRecord } from './sources.records.ts'
import {
  changeReading,
  createSource,
  deleteSources,
  findOwnedSources,
  getOwnedSource,
  readSources,
  renameSource,
  restartSources,
} from './sources.store.ts'

const writeSource = jsonWriter(Source)

const ONE_SOURCE = { rows: 1, bytes: 0 }

export function sourceRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, sourceWakeSignal, quotas } = services

  return async (app) => {
    app.post('/chatbot/:uuid/data-source/url', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Create a URL source',
        params: UuidParams,
        body: UrlSource,
        response: { 200: Source, ...errors(400, 404, 409, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        await quotas.claim(caller.userId, ONE_SOURCE)
        const source = await createSource(db, chatbot, {
          type: 'link',
          title: body.url,
          meta: body,
        })
        sourceWakeSignal.wake()
        return toSourceRecord(source)
      },
    })

    app.post('/chatbot/:uuid/data-source/qa', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Create a question-and-answer source',
        params: UuidParams,
        body: QaSource,
        response: { 200: Source, ...errors(400, 404, 409, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const { question, answer } = body
        const bytes = Buffer.byteLength(question) + Buffer.byteLength(answer)
        await quotas.claim(caller.userId, { ...ONE_SOURCE, bytes })
        const source = await createSource(db, chatbot, { type: 'qa', title: question, meta: body })
        sourceWakeSignal.wake()
        return toSourceRecord(source)
      },
    })

    app.post('/chatbot/:uuid/data-source/upload', {
      config: { scope: ['write', 'read'], multipart: true },
      schema: {
        summary: 'Upload a file',
        description: 'multipart/form-data with one part named `file` that has a file name.',
        consumes: ['multipart/form-data'],
        params: UuidParams,
        response: { 200: Source, ...errors(400, 404, 409, 413, 415, 422) },
      },
      handler: async (request, reply) => {
        const chatbot = await getOwnedChatbot(db, request.caller.userId, request.params.uuid)
        const { userId } = request.caller
        // Checked before the upload, and again when its size is known.
        await quotas.claim(userId, ONE_SOURCE)
        const source = await receiveUpload(request, reply, services, async ({ file, meta }) => {
          await quotas.claim(userId, { rows: 0, bytes: file.content.length })
          return createSource(db, chatbot, { type: 'upload', title: file.name, meta, file })
        })
        sourceWakeSignal.wake()
        return toSourceRecord(source)
      },
    })

    app.post('/data-source/:uuid/update', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Rename a source',
        params: UuidParams,
        body: SourceUpdate,
        response: { 200: Source, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) =>
        toSourceRecord(await renameSource(db, caller.userId, params.uuid, body.title)),
    })

    app.post('/data-source/:uuid/url/update', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Change the import settings of a page or site',
        description: 'Changes only the fields in the request. They apply at the next refresh.',
        params: UuidParams,
        body: ReadingChange,
        response: { 200: Source, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const source = await getOwnedSource(db, caller.userId, params.uuid)
        refuseReading(source, body)
        const changed = await changeReading(db, source, body)
        sourceWakeSignal.wake()
        return toSourceRecord(changed)
      },
    })

    app.get('/chatbot/:uuid/data-sources', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the sources of a chatbot',
        params: UuidParams,
        querystring: PageQuery,
        response: { 200: Source.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        return sendList(services, reply, {
          reader: readSources(db, chatbot.id),
          ownerId: caller.userId,
          ...query,
          write: (source) => writeSource(toSourceRecord(source)),
          confirm: () => getOwnedChatbot(db, caller.userId, chatbot.id),
        })
      },
    })

    app.get('/data-source/:uuid', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a source',
        params: UuidParams,
        response: { 200: Source, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        toSourceRecord(await getOwnedSource(db, caller.userId, params.uuid)),
    })

    addDeletionRoutes(app, {
      noun: 'data source',
      one: { path: '/data-source/:uuid/delete', summary: 'Delete a source' },
      several: {
        path: '/data-sources/delete',
        summary: 'Delete several sources',
        description:
          'Deletes all of them or none. A UUID that is unknown or not yours rejects the request.',
      },
      find: (ownerId, ids) => findOwnedSources(db, ownerId, ids),
      remove: (sources) => deleteSources(db, sources),
    })

    app.post('/data-source/:uuid/retry', {
      config: { scope: 'write' },
      schema: {
        summary: 'Refresh a source',
        description: 'Fetches a page again, or reads a file or pair again.',
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        await restartSources(db, [await getOwnedSource(db, caller.userId, params.uuid)])
        sourceWakeSignal.wake()
        return { success: true as const }
      },
    })

    app.post('/data-sources/url/re-scrape', {
      config: { scope: 'write' },
      schema: {
        summary: 'Refresh URL sources',
        description: 'Returns for each UUID whether its page is fetched again.',
        body: UuidList,
        response: { 200: RescrapeResult.array(), ...errors(400, 413, 415, 422) },
      },
      handler: async ({ caller, body }) => {
        const uuids = [...new Set(body.uuids)]
        const owned = await findOwnedSources(db, caller.userId, uuids.map(normalizeId))
        const links = owned.filter((source) => source.type === 'link')
        if (links.length > 0) await restartSources(db, links)
        sourceWakeSignal.wake()
        const restarted = new Set(links.map(({ id }) => id))
        return uuids.map((uuid) =>
          restarted.has(normalizeId(uuid))
            ? { uuid, status: 'restarted scraping' }
            : { uuid, error: 'invalid data source' },
        )
      },
    })
  }
}
