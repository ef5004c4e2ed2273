import { z } from 'zod'
import { SOURCE_STATUSES, UNSETTLED } from '../database/tables.ts'
import { type AppError, invalid } from '../errors.ts'
import { saying } from '../field-problem.ts'
import { metaOf, type Source } from '../store/sources.ts'
import { TimestampOut, text, UuidOut } from './common.schemas.ts'
import { timestamp } from './timestamp.ts'

const maxPages = z.int().min(1).max(10_000)
const maxDepth = z.int().min(0).max(50)
const paths = z.array(text({ min: 1, max: 500 })).max(100)
const hours = z.int().min(1).max(8_760)

const isWebLink = (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')
const NO_WEB_LINK = {
  error: 'must be an http or https URL',
  params: saying({ type: 'not_address' }),
}

/** Forms send what was not filled in as an empty text. */
const reference = text({ max: 2_048, trim: true })
  .refine((value) => value === '' || isWebLink(value), NO_WEB_LINK)
  .nullish()
  .transform((link) => (link ? withoutUserInfo(link) : undefined))
  .meta({
    description: 'Where readers of a citation find it: an http or https URL.',
    example: 'https://example.org/handbook',
  })

export const UrlSource = z.object({
  url: text({ min: 1, max: 2_048, trim: true })
    .refine(isWebLink, NO_WEB_LINK)
    .transform(withoutUserInfo)
    .meta({ example: 'https://example.org/opening-hours' }),
  reference_source_link: reference,
  crawl: z
    .object({
      max_pages: maxPages.default(100),
      max_depth: maxDepth.default(10),
      include: paths.default([]),
      exclude: paths.default([]),
    })
    .optional()
    .meta({
      description:
        'Makes one source of the whole site, page by page, staying on its origin. `include` and `exclude` are beginnings of paths, with * for anything.',
      example: { max_pages: 100, max_depth: 10, include: [], exclude: [] },
    }),
  refresh_hours: hours
    .optional()
    .meta({ description: 'Reads it again after so many hours.', example: 24 }),
})

export const ReadingUpdate = z.object({
  crawl: z
    .object({
      max_pages: maxPages.optional(),
      max_depth: maxDepth.optional(),
      include: paths.optional(),
      exclude: paths.optional(),
    })
    .optional()
    .meta({ description: 'Only of a site.', example: { max_pages: 200 } }),
  refresh_hours: hours.nullable().optional().meta({
    description: 'Reads it again after so many hours; null: never by itself.',
    example: 24,
  }),
})

/** They are never sent, and a URL may end up as the title of a citation. */
function withoutUserInfo(given: string): string {
  const url = new URL(given)
  if (url.username === '' && url.password === '') return given
  url.username = ''
  url.password = ''
  return url.href
}

export const QaSource = z.object({
  question: text({ min: 1, max: 2_000, trim: true }).meta({ example: 'When are you open?' }),
  answer: text({ min: 1, max: 50_000, trim: true }).meta({ example: 'Daily from 9 to 17.' }),
  reference_source_link: reference,
})

export const SourceUpdate = z.object({
  // As long as the titles that sources have by themselves: a pair's is its question, a page's may be its address.
  title: text({ min: 1, max: 2_048, trim: true }).meta({ example: 'Opening hours' }),
})

/** Throws where there is nothing that such settings could be of. */
export function refuseReading(source: Source, { crawl }: z.infer<typeof ReadingUpdate>): void {
  if (source.type !== 'link') throw notReadSo(['body'], 'only pages and sites are read by settings')
  if (crawl && !metaOf(source).crawl) throw notReadSo(['body', 'crawl'], 'this is a page, no site')
}

function notReadSo(loc: string[], msg: string): AppError {
  return invalid([{ loc, msg, type: 'custom' }])
}

export const SourceRecord = z
  .object({
    uuid: UuidOut,
    title: z.string().meta({ example: 'When are you open?' }),
    type: z.enum(['link', 'qa', 'upload']).meta({ example: 'qa' }),
    status: z.enum(SOURCE_STATUSES).meta({ example: 'success' }),
    file_name: z.string().meta({ example: '' }),
    file_size: z.number().meta({ example: 0 }),
    tokens: z.number().meta({ example: 17 }),
    meta_json: z.string().meta({ description: 'A JSON object as a string.', example: '{}' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'DataSource' })

export const RescrapeResult = z.array(
  z.object({
    uuid: z.string(),
    status: z.string().optional().meta({ example: 'restarted scraping' }),
    error: z.string().optional().meta({ example: 'invalid data source' }),
  }),
)

/** With the time at which it is read again, where it is: only what is settled waits for that. */
function shownMeta(source: Source): string {
  const { due_at, status, meta } = source
  if (due_at === null || UNSETTLED.some((one) => one === status)) return meta
  return JSON.stringify({ ...metaOf(source), next_reading_at: timestamp(due_at) })
}

export function toSourceRecord(source: Source): z.infer<typeof SourceRecord> {
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
