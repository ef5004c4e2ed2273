import { z } from 'zod'
import { saying } from './failures/field-problem.ts'
import { TimestampOut, text, UuidOut } from './field.ts'

export const SourceType = z.enum(['link', 'qa', 'upload']).meta({ title: 'SourceType' })
export type SourceType = z.infer<typeof SourceType>

export const SourceStatus = z
  .enum([
    'await',
    'extracting',
    'chunking',
    'embedding',
    'success',
    'fail',
    'error:no text',
    'error:download',
    'error:content type',
    'error:not found',
    'error:storage',
    'error:token',
  ])
  .meta({ title: 'SourceStatus' })
export type SourceStatus = z.infer<typeof SourceStatus>

/** Statuses that change without action by the owner. */
export const IN_PROGRESS_STATUSES = SourceStatus.extract([
  'await',
  'extracting',
  'chunking',
  'embedding',
]).options

const maxPages = z.int().min(1).max(10_000)
const maxDepth = z.int().min(0).max(50)
const paths = z
  .array(text({ min: 1, max: 500 }))
  .max(100)
  .meta({ description: 'Path prefixes, with * for any characters.' })
const hours = z.int().min(1).max(8_760)

const isWebLink = (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? '')
const NO_WEB_LINK = {
  error: 'must be an http or https URL',
  params: saying({ type: 'not_address' }),
}

/** HTML forms send empty fields as an empty string. */
const reference = text({ max: 2_048, trim: true })
  .refine((value) => value === '' || isWebLink(value), NO_WEB_LINK)
  .nullish()
  .transform((link) => (link ? withoutUserInfo(link) : undefined))
  .meta({
    description: 'The http or https URL that citations link to.',
    example: 'https://example.org/handbook',
  })

export const CrawlSettings = z
  .object({
    max_pages: maxPages.default(100),
    max_depth: maxDepth.default(10),
    include: paths.default([]),
    exclude: paths.default([]),
  })
  .meta({ title: 'CrawlSettings' })
export type CrawlSettings = z.infer<typeof CrawlSettings>

export const UrlSource = z
  .object({
    url: text({ min: 1, max: 2_048, trim: true })
      .refine(isWebLink, NO_WEB_LINK)
      .transform(withoutUserInfo)
      .meta({ example: 'https://example.org/opening-hours' }),
    reference_source_link: reference,
    crawl: CrawlSettings.optional().meta({
      description:
        'Makes one source of the whole site within its origin. `include` and `exclude` are path prefixes, with * for any characters.',
      example: { max_pages: 100, max_depth: 10, include: [], exclude: [] },
    }),
    refresh_hours: hours
      .optional()
      .meta({ description: 'Refreshes the source after this many hours.', example: 24 }),
  })
  .meta({ title: 'UrlSource' })
export type UrlSource = z.infer<typeof UrlSource>

export const ReadingChange = z
  .object({
    crawl: z
      .object({
        max_pages: maxPages.optional(),
        max_depth: maxDepth.optional(),
        include: paths.optional(),
        exclude: paths.optional(),
      })
      .meta({ title: 'CrawlSettings' })
      .optional()
      .meta({ description: 'For sites only.', example: { max_pages: 200 } }),
    refresh_hours: hours.nullable().optional().meta({
      description: 'Refreshes the source after this many hours, or never (null).',
      example: 24,
    }),
  })
  .meta({ title: 'ReadingChange' })
export type ReadingChange = z.infer<typeof ReadingChange>

/** Credentials in a URL are never sent, and the URL can become the title of a citation. */
function withoutUserInfo(given: string): string {
  const url = new URL(given)
  if (url.username === '' && url.password === '') return given
  url.username = ''
  url.password = ''
  return url.href
}

export const QaSource = z
  .object({
    question: text({ min: 1, max: 2_000, trim: true }).meta({ example: 'When are you open?' }),
    answer: text({ min: 1, max: 50_000, trim: true }).meta({ example: 'Daily from 9 to 17.' }),
    reference_source_link: reference,
  })
  .meta({ title: 'QaSource' })
export type QaSource = z.infer<typeof QaSource>

export const SourceUpdate = z.object({
  // As long as automatic titles, which can be a pair's question or a page's URL.
  title: text({ min: 1, max: 2_048, trim: true }).meta({ example: 'Opening hours' }),
})

export const Source = z
  .object({
    uuid: UuidOut,
    title: z.string().meta({ example: 'When are you open?' }),
    type: SourceType.meta({ example: 'qa' }),
    status: SourceStatus.meta({ example: 'success' }),
    file_name: z.string().meta({ example: '' }),
    file_size: z.number().meta({ example: 0 }),
    tokens: z.number().meta({ example: 17 }),
    meta_json: z.string().meta({ description: 'A JSON object as a string.', example: '{}' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'Source' })
export type Source = z.infer<typeof Source>

export const RescrapeResult = z
  .object({
    uuid: z.string(),
    status: z.string().optional().meta({ example: 'restarted scraping' }),
    error: z.string().optional().meta({ example: 'invalid data source' }),
  })
  .meta({ id: 'RescrapeResult' })
export type RescrapeResult = z.infer<typeof RescrapeResult>
