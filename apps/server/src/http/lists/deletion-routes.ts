import { Success, UuidList, UuidParams } from '@docent/contract/field.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Owned } from '../../database/rows/owned.ts'
import { notFound } from '../../errors.ts'
import { errors } from '../errors/error-responses.ts'
import { deleteAll } from './page-list.ts'

interface Deletion<T> {
  /** As error messages call a row. */
  noun: string
  one: { path: string; summary: string }
  several: { path: string; summary: string; description: string }
  /** Returns the rows among the ids that belong to the owner. */
  find(ownerId: string, ids: string[]): Promise<Owned<T>[]>
  /** Returns false if a row was already gone. */
  remove(rows: Owned<T>[]): Promise<boolean>
}

/** Adds the routes that delete one row, or several: all of them or none. */
export function addDeletionRoutes<T extends { id: string }>(
  app: Parameters<FastifyPluginAsyncZod>[0],
  { noun, one, several, find, remove }: Deletion<T>,
): void {
  app.post(one.path, {
    config: { scope: 'write' },
    schema: {
      summary: one.summary,
      params: UuidParams,
      response: { 200: Success, ...errors(404) },
    },
    handler: async ({ caller, params }) => {
      const rows = await find(caller.userId, [params.uuid])
      if (rows.length === 0 || !(await remove(rows))) throw notFound(noun)
      return { success: true as const }
    },
  })

  app.post(several.path, {
    config: { scope: 'write' },
    schema: {
      summary: several.summary,
      description: several.description,
      body: UuidList,
      response: { 200: Success, ...errors(400, 413, 415, 422) },
    },
    handler: async ({ caller, body }) => {
      await deleteAll(body.uuids, noun, (ids) => find(caller.userId, ids), remove)
      return { success: true as const }
    },
  })
}
