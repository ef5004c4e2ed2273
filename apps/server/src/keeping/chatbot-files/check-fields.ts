import { text } from '@docent/contract/field.ts'
import { Budget } from '@docent/contract/insights.ts'
import { QaSource, SourceUpdate, UrlSource } from '@docent/contract/sources.ts'
import { z } from 'zod'
import { AppError, type WrongField } from '../../errors.ts'
import { describeIssue } from '../../http/errors/validation-messages.ts'
import type { ModelCatalog } from '../../models/model-catalog.ts'
import { newChatbotWith } from '../../models/model-choice.ts'
import { parseJson } from '../../runtime/parse-json.ts'
import type { Line, SourceLine } from './chatbot-file.ts'

const HOUR_MS = 3_600_000
/** Docent did not exist before. */
const EARLIEST = Date.UTC(2020, 0, 1)
/** Tolerance for another server's clock. */
const CLOCK_TOLERANCE_MS = 300_000
const LONGEST_REFRESH_MS = 8_760 * HOUR_MS
const MAX_META_CHARACTERS = 1_000_000
const MOST_NAMED = 20
const MAX_ADDRESS = 8_192

const address = text({ max: MAX_ADDRESS }).refine(isWebAddress, 'must be an http or https URL')
const addressOrNone = z.union([z.literal(''), address])
const addressesAsJson = z
  .string()
  .refine((given) => areAddresses(parseJson(given)), 'must be a JSON list of http or https URLs')
// The next request to the site sends this value as a header.
const header = z
  .string()
  .max(MAX_ADDRESS)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must fit into a header')
const time = z
  .int()
  .refine((at) => at >= EARLIEST, 'must not be before 2020')
  .refine((at) => at <= Date.now() + CLOCK_TOLERANCE_MS, 'must not be in the future')
const dueTime = z
  .int()
  .refine(
    (at) => at <= Date.now() + LONGEST_REFRESH_MS + CLOCK_TOLERANCE_MS,
    'must be within a year',
  )
  .nullable()
const times = z
  .object({ created_at: time, modified_at: time })
  .refine((one) => one.created_at <= one.modified_at, {
    error: 'must not be before created_at',
    path: ['modified_at'],
  })

const fileName = text({ max: 255 }).refine((name) => !/[/\\]/.test(name), 'must not be a path')

/** Why the source or one of its pages could not be read. */
const failure = {
  error: text({ max: 10_000 }),
  error_code: text({ max: 100 }).optional(),
  error_params: z.record(z.string(), z.unknown()).optional(),
}

/** Fields that the worker adds to a source. */
const Learned = z.looseObject({
  reference_source_link: address.optional(),
  final_url: address.optional(),
  ...failure,
  error: failure.error.optional(),
  waiting: text({ max: 10_000 }).optional(),
  pause_seconds: z
    .number()
    .min(0)
    .max(LONGEST_REFRESH_MS / 1_000)
    .optional(),
  refresh_hours: UrlSource.shape.refresh_hours,
  page_errors: z.array(z.object({ url: address, ...failure })).optional(),
})

const LINES = {
  page: z.object({
    url: address,
    title: text({ max: 100_000 }),
    fetched_at: time,
  }),
  visit: z.object({
    url: address,
    etag: header,
    last_modified: header,
    links: addressesAsJson,
    leads_to: addressOrNone,
    page_url: addressOrNone,
  }),
  sitemap: z.object({
    url: address,
    etag: header,
    last_modified: header,
    lists: z.string().refine(isSitemap, 'must be JSON with the lists sitemaps and pages'),
  }),
  revision: z
    .object({ created_at: time, text: z.string(), pages: z.array(z.int()).nullable() })
    .refine(({ text, pages }) => pages?.every((start) => start <= text.length) ?? true, {
      error: 'must be within the text',
      path: ['pages'],
    }),
  passages: z.object({ page_url: addressOrNone }),
}

export interface FieldRules {
  models: ModelCatalog
  maxUploadBytes: number
}

/**
 * Checks a file against the API's rules. The author can be anyone: the seal proves that the file is unchanged, but not
 * who wrote it.
 */
export class FieldChecker {
  readonly #rules: FieldRules
  readonly #wrong: WrongField[] = []
  #sources = 0
  #upload: { announced: number; bytes: number } | undefined

  constructor(rules: FieldRules) {
    this.#rules = rules
  }

  check(line: Line): void {
    if ('file' in line) {
      this.#upload!.bytes += Buffer.byteLength(line.file, 'base64')
      return
    }
    this.#endFile()
    if ('chatbot' in line) this.#checkChatbot(line.chatbot)
    else if ('source' in line) this.#checkSource(line.source)
    else {
      const [kind, value] = Object.entries(line)[0] as [keyof typeof LINES, unknown]
      this.#hold(value, LINES[kind], [...this.#source, kind])
    }
  }

  /** Adds the schema violations of a line. */
  addIssues(kind: string, issues: z.core.$ZodIssue[]): void {
    if (kind === 'source') this.#sources += 1
    if (kind === 'chatbot') this.#add([kind], issues)
    else this.#add(kind === 'source' ? this.#source : [...this.#source, kind], issues)
  }

  /** Throws an error that lists all problems, if there are any. */
  end(file: string): void {
    this.#endFile()
    if (this.#wrong.length === 0) return
    const named = this.#wrong.slice(0, MOST_NAMED)
    const fields = named.map(({ loc, msg }) => `${loc.join('.')} ${msg}`)
    const more = this.#wrong.length - named.length
    if (more > 0) fields.push(`and ${more} more`)
    throw new AppError(
      'invalid',
      `${file} has values that this server does not accept. Nothing was imported: ${fields.join('; ')}.`,
      { details: named },
    )
  }

  get #source(): (string | number)[] {
    return ['source', this.#sources]
  }

  #checkChatbot(chatbot: Extract<Line, { chatbot: unknown }>['chatbot']): void {
    const { name, settings, token_budget, created_at, modified_at } = chatbot
    // A model that this server does not know is no error: see `import-chatbot`.
    const model = knownModel(this.#rules.models, chatbot.model)
    const NewChatbot = newChatbotWith(this.#rules.models)
    this.#hold({ name, ...settings, ...(model && { model }) }, NewChatbot, ['chatbot'])
    this.#hold(chatbot.model, text({ min: 1, max: 100 }).nullable(), ['chatbot', 'model'])
    if (name !== name.trim()) this.#say(['chatbot', 'name'], 'must not begin or end with a space')
    this.#hold({ token_budget }, Budget, ['chatbot'])
    this.#hold({ created_at, modified_at }, times, ['chatbot'])
  }

  #checkSource(source: SourceLine): void {
    this.#sources += 1
    const { type, title, file_name, file_size, meta, due_at, created_at, modified_at } = source
    const at = this.#source
    const isChosen = source.title_chosen
    this.#hold({ title }, isChosen ? SourceUpdate : z.object({ title: text({ max: 100_000 }) }), at)
    if (type === 'link') this.#hold(meta, UrlSource, [...at, 'meta'])
    if (type === 'qa') this.#hold(meta, QaSource, [...at, 'meta'])
    this.#hold(meta, Learned, [...at, 'meta'])
    this.#checkMeta(meta, [...at, 'meta'])
    this.#hold({ file_name }, z.object({ file_name: fileName }), at)
    if ((file_name !== '') !== (type === 'upload')) {
      this.#say([...at, 'file_name'], 'must be given for files only')
    }
    this.#hold({ due_at }, z.object({ due_at: dueTime }), at)
    this.#hold({ created_at, modified_at }, times, at)
    if (type === 'upload') this.#upload = { announced: file_size, bytes: 0 }
  }

  /** Checks URLs and times at any depth, because pages show them and make links of them. */
  #checkMeta(meta: object, at: (string | number)[]): void {
    if (JSON.stringify(meta).length > MAX_META_CHARACTERS) this.#say(at, 'must be smaller')
    for (const [key, value] of entriesWithin(meta)) {
      if (typeof value !== 'string') continue
      if (!value.isWellFormed() || value.includes('\0') || !key.isWellFormed())
        this.#say([...at, key], 'must be valid Unicode without NUL characters')
      else if (/(^|_)(url|link)$/.test(key)) this.#hold(value, address, [...at, key])
      else if (/_at$/.test(key)) this.#hold(Date.parse(value), time, [...at, key])
    }
  }

  #endFile(): void {
    if (!this.#upload) return
    const { announced, bytes } = this.#upload
    const { maxUploadBytes } = this.#rules
    this.#upload = undefined
    if (bytes > maxUploadBytes)
      this.#say(
        [...this.#source, 'file'],
        `must have at most ${maxUploadBytes} bytes (MAX_UPLOAD_MB)`,
      )
    if (bytes !== announced) this.#say([...this.#source, 'file_size'], `must be ${bytes}`)
  }

  #hold(value: unknown, schema: z.ZodType, at: (string | number)[]): void {
    const result = schema.safeParse(value, { error: describeIssue })
    if (!result.success) this.#add(at, result.error.issues)
  }

  #add(at: (string | number)[], issues: z.core.$ZodIssue[]): void {
    for (const { path, message } of issues) this.#say([...at, ...path.map(asStep)], message)
  }

  /** Reports only the first problem of each field. */
  #say(loc: (string | number)[], msg: string): void {
    const isSaid = this.#wrong.some((one) => one.loc.join('.') === loc.join('.'))
    if (!isSaid && this.#wrong.length < 1_000) this.#wrong.push({ loc, msg, type: 'custom' })
  }
}

/** Returns the file's model if this server has it. Null: the server's default answers. */
export function knownModel(models: ModelCatalog, name: string | null): string | null {
  return name !== null && models.accepts(name) ? name : null
}

function asStep(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step)
}

function* entriesWithin(value: object): Generator<[string, unknown]> {
  const waiting = Object.entries(value)
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    yield entry
    const [key, inner] = entry
    if (Array.isArray(inner)) waiting.push(...inner.map((one): [string, unknown] => [key, one]))
    else if (typeof inner === 'object' && inner !== null) waiting.push(...Object.entries(inner))
  }
}

function isWebAddress(given: string): boolean {
  return /^https?:$/.test(URL.parse(given)?.protocol ?? '')
}

function areAddresses(list: unknown): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === 'string' && isWebAddress(one))
}

function isSitemap(given: string): boolean {
  const lists = parseJson(given) as { sitemaps?: unknown; pages?: unknown } | null | undefined
  return areAddresses(lists?.sitemaps) && areAddresses(lists?.pages)
}
