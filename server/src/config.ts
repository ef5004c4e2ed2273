import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { AllowedHosts } from './ingestion/guard-address.ts'
import { type ModelsConfig, readModelSettings } from './models/provider-settings.ts'

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

const requestLimit = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,4}$/, 'must be requests/seconds, such as 600/60')
  .transform((given) => given.split('/').map(Number))
  .transform(([requests = 0, seconds = 0]) => ({ requests, seconds }))
  .optional()

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .literal('', 'PostgreSQL is not supported yet: leave it out, and SQLite in DATA_DIR is used')
    .optional(),
  ALLOW_PRIVATE_HOSTS: list.refine(
    isHostList,
    'must be host names, addresses or ranges such as 10.1.0.0/16, with commas',
  ),
  ALLOW_LINKS: list.refine(
    (hosts) => hosts.every((host) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host)),
    'must be host names, such as museum.org or *.museum.org, with commas',
  ),
  TRUSTED_PROXIES: list.refine(
    (entries) => entries.every(isAddressRange),
    'must be addresses or ranges such as 10.1.0.0/16, with commas',
  ),
  RATE_LIMIT_PER_TOKEN: requestLimit,
  RATE_LIMIT_PER_ADDRESS: requestLimit,
  MAX_UPLOAD_MB: wholeNumber(1, 500).default(50),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})

function isHostList(entries: string[]): boolean {
  try {
    new AllowedHosts(entries)
    return true
  } catch {
    return false
  }
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
  /** Host names and address ranges that URL sources may reach although they are private. */
  allowPrivateHosts: string[]
  /** Hosts that answers may link to and show pictures of, whatever the sources say. */
  allowLinks: string[]
  /** Whose word on where a request comes from is believed. */
  trustedProxies: string[]
  limitPerToken: RequestLimit | undefined
  limitPerAddress: RequestLimit | undefined
  maxUploadBytes: number
  logLevel: string
}

/** The only reader of the environment. Throws one message that names every bad setting. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // An empty variable is how many tools say "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = Environment.safeParse(given)
  const models = readModelSettings(given)
  if (!result.success || models.issues.length > 0) {
    const lines = [
      ...(result.error?.issues ?? []).map(({ path, message }) => `  ${path.join('.')}: ${message}`),
      ...models.issues.map(({ setting, message }) => `  ${setting}: ${message}`),
    ]
    throw new Error(`These settings are not usable:\n${lines.join('\n')}`)
  }
  const env = result.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    ...models.config,
    allowPrivateHosts: env.ALLOW_PRIVATE_HOSTS,
    allowLinks: env.ALLOW_LINKS,
    trustedProxies: env.TRUSTED_PROXIES,
    limitPerToken: env.RATE_LIMIT_PER_TOKEN,
    limitPerAddress: env.RATE_LIMIT_PER_ADDRESS,
    maxUploadBytes: env.MAX_UPLOAD_MB * MEGABYTE,
    logLevel: env.LOG_LEVEL,
  }
}
