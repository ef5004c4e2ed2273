import {
  IN_PROGRESS_STATUSES,
  type ReadingChange,
  type Source as SourceRecord,
} from '@docent/contract/sources.ts'
import { type AppError, invalid } from '../../errors.ts'
import { timestamp } from '../../http/timestamp.ts'
import { metaOf, type Source } from './sources.store.ts'

/** Throws if the source cannot have these settings. */
export function refuseReading(source: Source, { crawl }: ReadingChange): void {
  if (source.type !== 'link') throw notReadSo(['body'], 'only pages and sites have import settings')
  if (crawl && !metaOf(source).crawl)
    throw notReadSo(['body', 'crawl'], 'this is a single page, not a site')
}

function notReadSo(loc: string[], msg: string): AppError {
  return invalid([{ loc, msg, type: 'custom' }])
}

/** Adds the time of the next reading, if there is one. Only settled sources wait for it. */
function shownMeta(source: Source): string {
  const { due_at, status, meta } = source
  if (due_at === null || IN_PROGRESS_STATUSES.some((one) => one === status)) return meta
  return JSON.stringify({ ...metaOf(source), next_reading_at: timestamp(due_at) })
}

export function toSourceRecord(source: Source): SourceRecord {
  return {
    uuid: source.id,
    title: source.title,
    type: source.type,
    status: source.status,
    file_name: source.file_name,
    file_size: source.file_size,
    tokens: source.tokens,
    meta_json: shownMeta(source),
    created_at: timestamp(source.created_at),
    modified_at: timestamp(source.modified_at),
  }
}
