import { normalizeId } from '@docent/contract/field.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Owned } from '../../database/rows/owned.ts'
import { AppError } from '../../errors.ts'

/** Fetches one more row than asked for. If it exists, a `Link` header leads to the next page. */
export async function sendPage<T extends { id: string }, P extends { limit: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: P,
  list: (page: P) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const rows = await list({ ...page, limit: page.limit + 1 })
  if (rows.length <= page.limit) return rows
  const shown = rows.slice(0, page.limit)
  reply.header('link', linkToNext(request, 'before', shown.at(-1)!.id))
  return shown
}

/** The value of a `Link` header that leads to the page after this row. */
export function linkToNext(
  request: FastifyRequest,
  goesOn: 'after' | 'before',
  id: string | number,
): string {
  // A path that begins with two slashes would be read as a host.
  const next = new URL(request.url.replace(/^\/+/, '/'), 'http://here')
  next.searchParams.set(goesOn, String(id))
  return `<${next.pathname}${next.search}>; rel="next"`
}

/** All or nothing: every uuid must exist and belong to the caller, or no row is returned. Duplicates count once. */
export async function requireAll<T extends { id: string }>(
  given: string[],
  noun: string,
  find: (ids: string[]) => Promise<Owned<T>[]>,
): Promise<Owned<T>[]> {
  const found = await find([...new Set(given.map(normalizeId))])
  const ids = new Set(found.map(({ id }) => id))
  const missing = [...new Set(given)].filter((uuid) => !ids.has(normalizeId(uuid)))
  if (missing.length > 0) {
    throw new AppError(
      'invalid',
      `Nothing was changed because ${missing.length} of the UUIDs were not found.`,
      {
        details: missing.map((uuid) => ({ uuid, error: `There is no such ${noun}.` })),
      },
    )
  }
  return found
}

/** All or nothing. If a concurrent request deletes a row first, the retry reports that row as missing. */
export async function deleteAll<T extends { id: string }>(
  given: string[],
  noun: string,
  find: (ids: string[]) => Promise<Owned<T>[]>,
  remove: (rows: Owned<T>[]) => Promise<boolean>,
): Promise<void> {
  while (!(await remove(await requireAll(given, noun, find))));
}
