import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { isProgram } from './ingestion/programs/find-program.ts'
import { findChromium } from './ingestion/render/find-chromium.ts'
import { type ModelsConfig, readModelSettings } from './models/provider-settings.ts'
import { findMisspelled, type MisspelledSetting } from './runtime/misspelled-settings.ts'
import { MODEL_SETTINGS, SERVER_SETTINGS as SETTINGS } from './runtime/settings.ts'

const MEGABYTE = 1024 * 1024

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(
      (given) => /^\d+$/.test(given) && Number(given) >= min && Number(given) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)

const list = z
  .string()
  .default('')
  .transform((given) => given.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))

const oneOf = (names: string[]) => z.enum(names, `must be one of ${names.join(', ')}`)

const requestLimit = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,4}$/, 'must be requests/seconds, such as 600/60')
  .transform((given) => given.split('/').map(Number))
  .transform(([requests = 0, seconds = 0]) => ({ requests, seconds }))
  .optional()

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(SETTINGS.PORT.default),
  HOST: z
    .string()
    .refine(
      (given) => isIP(given) !== 0 || isHostName(given),
      'must be an address of this machine, such as 127.0.0.1, or a host name',
    )
    .default(SETTINGS.HOST.default),
  DATA_DIR: z.string().default(SETTINGS.DATA_DIR.default),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
    .optional(),
  DATABASE_CONNECTIONS: wholeNumber(3, 500).default(SETTINGS.DATABASE_CONNECTIONS.default),
  ALLOW_PRIVATE_HOSTS: list.refine(
    (hosts) => hosts.every(isHost),
    'must be host names, addresses or ranges such as 10.1.0.0/16, separated by commas',
  ),
  PUBLIC_URL: list.refine(
    (urls) => urls.every(isSiteUrl),
    'must be URLs such as https://chat.example.org, without a path, separated by commas',
  ),
  ALLOW_LINKS: list.refine(
    (hosts) => hosts.every((host) => isHostName(host.replace(/^\*\./, ''))),
    'must be host names such as museum.org or *.museum.org, separated by commas',
  ),
  TRUSTED_PROXIES: list.refine(
    (entries) => entries.every(isAddressRange),
    'must be addresses or ranges such as 10.1.0.0/16, separated by commas',
  ),
  RATE_LIMIT_PER_TOKEN: requestLimit,
  RATE_LIMIT_PER_ADDRESS: requestLimit,
  MAX_WAITING_ANSWERS: wholeNumber(1, 100_000).default(SETTINGS.MAX_WAITING_ANSWERS.default),
  READER: oneOf(['on', 'off']).default(SETTINGS.READER.default),
  CHROMIUM_PATH: z
    .string()
    .refine((path) => path === 'off' || isProgram(path), 'must be the path of a program, or off')
    .optional(),
  EMBEDDER: z
    .string()
    .regex(
      /^(built-in|folder:.+|endpoint:.+)$/,
      'must be built-in, folder:<a folder with an ONNX model> or endpoint:<the name of a model>',
    )
    .default(SETTINGS.EMBEDDER.default),
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .default(SETTINGS.EMBEDDINGS_URL.default),
  EMBEDDINGS_API_KEY: z.string().optional(),
  EMBEDDINGS_DIMENSIONS: wholeNumber(8, 4096)
    .refine((given) => given % 8 === 0, 'must be a multiple of 8')
    .default(SETTINGS.EMBEDDINGS_DIMENSIONS.default),
  MAX_UPLOAD_MB: wholeNumber(1, 500).default(SETTINGS.MAX_UPLOAD_MB.default),
  MAX_ROWS_PER_OWNER: wholeNumber(1, 1_000_000_000).optional(),
  MAX_MB_PER_OWNER: wholeNumber(1, 100_000_000).optional(),
  OCR_LANGUAGES: z
    .string()
    .regex(/^(off|[a-z][\w/]*(\+[a-z][\w/]*)*)$/i, 'must be language names such as eng+deu, or off')
    .default(SETTINGS.OCR_LANGUAGES.default),
  PATH: z.string().default(''),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default(
    SETTINGS.LOG_LEVEL.default,
  ),
} satisfies Record<keyof typeof SETTINGS | 'PATH', z.ZodType>)

/** The server can’t be served below a path, so a path is invalid. */
function isSiteUrl(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
}

/** Also accepts the URL forms `[::1]` and `wiki.local.` (with the trailing dot). */
function isHost(given: string): boolean {
  const host = given.replace(/^\[(.*)\]/, '$1')
  return isAddressRange(host) || isHostName(host.replace(/\.$/, ''))
}

/** Accepts only names that a URL parser keeps unchanged, so neither 300.1.1.1 nor 127.1. */
function isHostName(given: string): boolean {
  const name = given.toLowerCase()
  const isPlain = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)
  return isPlain && URL.parse(`http://${name}`)?.hostname === name
}

export type EmbedderConfig =
  | { kind: 'built-in' }
  | { kind: 'folder'; folder: string }
  | {
      kind: 'endpoint'
      model: string
      baseUrl: string
      apiKey: string | undefined
      dimensions: number
    }

function isAddressRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const most = { 4: 32, 6: 128 }[isIP(address)]
  if (most === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
}

export interface RequestLimit {
  requests: number
  seconds: number
}

export interface Config extends ModelsConfig {
  port: number
  host: string
  dataDir: string
  /** A PostgreSQL address. Undefined: SQLite in the data folder. */
  databaseUrl: string | undefined
  /** Maximum number of PostgreSQL connections of this node. */
  databaseConnections: number
  /** Addresses at which people reach this server. Messages and links show the first. */
  publicUrls: string[]
  /** Private hosts and address ranges that URL sources may reach. */
  allowPrivateHosts: string[]
  /** Browser that runs page scripts. Undefined: pages are read without scripts. */
  chromiumPath: string | undefined
  embedder: EmbedderConfig
  /** Whether the built-in engine uses the reader model. */
  reader: boolean
  /** Hosts that answers may link to and load images from, in addition to those in the sources. */
  allowLinks: string[]
  /** Proxies whose forwarded headers are trusted. */
  trustedProxies: string[]
  limitPerToken: RequestLimit | undefined
  /** How many questions may wait for the first token of their answer. */
  maxWaitingAnswers: number
  limitPerAddress: RequestLimit | undefined
  maxUploadBytes: number
  /** Storage limits of each owner. Undefined: no limit. */
  quotaPerOwner: { rows: number | undefined; bytes: number | undefined }
  /** Tesseract language codes. Undefined: no OCR. */
  ocrLanguages: string | undefined
  /** PATH to search for converters such as LibreOffice and Tesseract. */
  searchPath: string
  logLevel: string
  /** Unknown variables that look like misspelled settings. They are reported and ignored. */
  misspelt: MisspelledSetting[]
}

/** The only reader of the environment. Throws one message that names every bad setting. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // Many tools pass an empty variable for "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(given)
  const models = readModelSettings(given)
  if (!result.success || models.issues.length > 0) {
    const lines = [
      ...(result.error?.issues ?? []).map(({ path, message }) => `  ${path.join('.')}: ${message}`),
      ...models.issues.map(({ setting, message }) => `  ${setting}: ${message}`),
    ]
    throw new AppError('invalid', `These settings are not valid:\n${lines.join('\n')}`)
  }
  const env = result.data
  const chromium = env.CHROMIUM_PATH ?? findChromium(env.PATH)
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    ...models.config,
    publicUrls: env.PUBLIC_URL.map((url) => new URL(url).origin),
    allowPrivateHosts: env.ALLOW_PRIVATE_HOSTS,
    chromiumPath: chromium === 'off' ? undefined : chromium,
    embedder: embedderOf(env),
    reader: env.READER === 'on',
    allowLinks: env.ALLOW_LINKS,
    trustedProxies: env.TRUSTED_PROXIES,
    limitPerToken: env.RATE_LIMIT_PER_TOKEN,
    maxWaitingAnswers: env.MAX_WAITING_ANSWERS,
    limitPerAddress: env.RATE_LIMIT_PER_ADDRESS,
    maxUploadBytes: env.MAX_UPLOAD_MB * MEGABYTE,
    quotaPerOwner: {
      rows: env.MAX_ROWS_PER_OWNER,
      bytes: env.MAX_MB_PER_OWNER && env.MAX_MB_PER_OWNER * MEGABYTE,
    },
    ocrLanguages: env.OCR_LANGUAGES === 'off' ? undefined : env.OCR_LANGUAGES,
    searchPath: env.PATH,
    logLevel: env.LOG_LEVEL,
    misspelt: findMisspelled(Object.keys(given), [
      ...Object.keys(Environment.shape),
      ...Object.keys(MODEL_SETTINGS),
      ...models.config.providers.map(({ keySetting }) => keySetting),
    ]),
  }
}

function embedderOf(env: z.infer<typeof Environment>): EmbedderConfig {
  const [kind, name] = env.EMBEDDER.split(/:(.*)/s) as [EmbedderConfig['kind'], string]
  switch (kind) {
    case 'built-in':
      return { kind }
    case 'folder':
      return { kind, folder: resolve(name) }
    case 'endpoint':
      return {
        kind,
        model: name,
        baseUrl: env.EMBEDDINGS_URL,
        apiKey: env.EMBEDDINGS_API_KEY,
        dimensions: env.EMBEDDINGS_DIMENSIONS,
      }
  }
}
