import { Visibility } from '@docent/contract/chatbots.ts'
import {
  IN_PROGRESS_STATUSES,
  SourceStatus,
  SourceType,
  UrlSource,
} from '@docent/contract/sources.ts'
import { WidgetSettings } from '@docent/contract/widgets.ts'
import { z } from 'zod'

// A chatbot as JSON lines, each with one key that names its kind. The file contains no ids, no derived data, and
// nothing about where or when it was written. The importing server assigns new ids in the same order. So an imported
// chatbot exports again to the same bytes.

/** Passages per line. A line is read, embedded and written at once. */
export const BATCH_PASSAGES = 64
export const FILE_PART_BYTES = 3 * 256 * 1024
/** The highest upload limit that any server can have. */
export const MAX_FILE_BYTES = 500 * 1024 * 1024

const time = z.int().min(0).max(8_640_000_000_000_000)
const hash = z.string().regex(/^[\da-f]{64}$/)

export const EmbedderName = z.strictObject({ name: z.string(), dimensions: z.int().min(8) })
export type EmbedderName = z.infer<typeof EmbedderName>

export const Settings = z.object({
  prompt: z.string().max(32_000),
  temperature: z.number().min(0).max(2),
  rate_limit: z.tuple([z.int().min(1).max(10_000), z.int().min(1).max(86_400)]),
  rate_limit_message: z.string().max(2_000),
  show_citations: z.boolean(),
  visibility: Visibility,
})

const Answering = z.strictObject({ pairs_override: z.boolean().optional() })

const ChatbotLine = z.strictObject({
  name: z.string().min(1).max(255),
  model: z.string().max(100).nullable(),
  settings: Settings.strict(),
  /** Missing in files of earlier versions. */
  answering: Answering.optional(),
  token_budget: z.int().min(0).nullable(),
  widget: WidgetSettings.strict().nullable(),
  created_at: time,
  modified_at: time,
})

/** The importing server starts unfinished work again. */
const SETTLED = SourceStatus.options.filter(
  (status) => !IN_PROGRESS_STATUSES.some((one) => one === status),
)

/** Fields that the worker depends on. Other fields pass unchanged. */
const MetaRules = z.looseObject({
  crawl: UrlSource.shape.crawl,
  refresh_hours: UrlSource.shape.refresh_hours,
  url: z.string().optional(),
  question: z.string().optional(),
  answer: z.string().optional(),
})

const SourceLine = z.strictObject({
  type: SourceType,
  title: z.string(),
  title_chosen: z.boolean(),
  status: z.enum(['await', ...SETTLED]),
  file_name: z.string(),
  file_size: z.int().min(0),
  tokens: z.int().min(0),
  meta: z
    .record(z.string(), z.unknown())
    .refine((meta) => MetaRules.safeParse(meta).success, 'has impossible values'),
  /** Time of the next refresh. */
  due_at: time.nullable(),
  created_at: time,
  modified_at: time,
})

const RevisionLine = z.strictObject({
  hash,
  text: z.string(),
  pages: z.array(z.int().min(0)).nullable(),
  created_at: time,
})

const PageLine = z.strictObject({
  url: z.string(),
  title: z.string(),
  revision: hash,
  tokens: z.int().min(0),
  file_size: z.int().min(0),
  fetched_at: time,
})

const VisitLine = z.strictObject({
  url: z.string(),
  etag: z.string(),
  last_modified: z.string(),
  links: z.string(),
  leads_to: z.string(),
  revision: z.string(),
  page_url: z.string(),
})

const SitemapLine = z.strictObject({
  url: z.string(),
  etag: z.string(),
  last_modified: z.string(),
  lists: z.string(),
})

/** Passages of the preceding revision. */
const PassagesLine = z.strictObject({
  page_url: z.string(),
  /** Position of the first passage within its page. */
  position: z.int().min(0),
  /** Start, end, lead, page, vector. */
  list: z
    .array(
      z.tuple([
        z.int().min(0),
        z.int().min(0),
        z.string(),
        z.int().min(1).nullable(),
        z.base64().nullable(),
      ]),
    )
    .min(1)
    .max(BATCH_PASSAGES),
})

/** Keyed by the kind of line. */
export const LINES = {
  passages: z.strictObject({ passages: PassagesLine }),
  revision: z.strictObject({ revision: RevisionLine }),
  file: z.strictObject({ file: z.base64() }),
  visit: z.strictObject({ visit: VisitLine }),
  page: z.strictObject({ page: PageLine }),
  sitemap: z.strictObject({ sitemap: SitemapLine }),
  source: z.strictObject({ source: SourceLine }),
  chatbot: z.strictObject({ chatbot: ChatbotLine }),
}
export const Line = z.union(Object.values(LINES))
export type Line = z.infer<typeof Line>
export type SourceLine = z.infer<typeof SourceLine>
export type RevisionLine = z.infer<typeof RevisionLine>
export type PassagesLine = z.infer<typeof PassagesLine>
