import { hash, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { isPostgres } from '../src/database/dialect.ts'
import { type OpenDatabase, openDatabase } from '../src/database/open-database.ts'
import type { Services } from '../src/services.ts'

/** Tests run on this server instead of SQLite, if it is set. */
// biome-ignore lint/style/noProcessEnv: which store to test is no setting of the product
export const TEST_SERVER = process.env.TEST_DATABASE_URL || undefined

/** Host and port of a pooler in front of that server. The tests' own servers connect through it. */
// biome-ignore lint/style/noProcessEnv: which way to test is no setting of the product
const TEST_POOLER = process.env.TEST_POOLER || undefined

export const ONLY_SQLITE = { skip: TEST_SERVER && 'this is about the file of SQLite' }

export const ONLY_POSTGRES = {
  skip: !TEST_SERVER && 'there is no PostgreSQL: set TEST_DATABASE_URL, or run scripts/postgres.ts',
}

type Ends = { after: (end: () => unknown) => void }

export interface TestDatabase {
  /** The settings of the store, empty for SQLite. */
  settings: { DATABASE_URL?: string }
  drop(): Promise<void>
}

/** A separate store for a test: a copy of the template database, or SQLite. */
export async function createDatabase(server = TEST_SERVER): Promise<TestDatabase> {
  if (server === undefined) return { settings: {}, drop: async () => {} }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${await makeTemplate(server)}`)
  return {
    settings: { DATABASE_URL: through(TEST_POOLER, addressOf(server, name)) },
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

export async function createEmptyDatabase(t: Ends): Promise<string> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await administer(TEST_SERVER!, `CREATE DATABASE ${name}`)
  t.after(() => administer(TEST_SERVER!, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return through(TEST_POOLER, addressOf(TEST_SERVER!, name))
}

/** The settings of a store that is dropped after the test. */
export async function makeDatabase(t: Ends): Promise<TestDatabase['settings']> {
  const { settings, drop } = await createDatabase()
  t.after(drop)
  return settings
}

/** Opens a separate store without a server. */
export async function openTestDatabase(
  t: Ends,
  dataDir: string,
): Promise<OpenDatabase & { databaseUrl: string | undefined }> {
  const { settings, drop } = await createDatabase()
  const databaseUrl = settings.DATABASE_URL
  const open = await openDatabase({ dataDir, databaseUrl, databaseConnections: 6 })
  t.after(async () => {
    await open.close()
    await drop()
  })
  return { ...open, databaseUrl }
}

/** A table of the index that exists in this store only. */
export function indexTable({ db, embeddings }: Services): string {
  return isPostgres(db) ? 'word_counts' : `passage_signs_${embeddings.registered.id}`
}

let template: Promise<string> | undefined

/** The first test process that needs the template makes it for all. */
function makeTemplate(server: string): Promise<string> {
  template ??= withServer(server, async (client) => {
    const name = `template_${schemaVersion()}`
    await client.query('SELECT pg_advisory_lock(1)')
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rows.length > 0) return name
    const unfinished = `unfinished_${name}`
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${unfinished}`)
    const config = {
      dataDir: '',
      databaseUrl: addressOf(server, unfinished),
      databaseConnections: 3,
    }
    await (await openDatabase(config)).close()
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
    return name
  })
  return template
}

function schemaVersion(): string {
  const folder = join(import.meta.dirname, '../src/database/migrations')
  const files = globSync('*.ts', { cwd: folder }).sort()
  const contents = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  return hash('sha256', contents.join('\n')).slice(0, 16)
}

/** Puts the pooler's host and port into the address. */
export function through(pooler: string | undefined, address: string): string {
  const url = new URL(address)
  if (pooler !== undefined) url.host = pooler
  return url.href
}

export function addressOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** Runs a statement on a server, or in one of its databases. */
export function administer(server: string, statement: string): Promise<void> {
  return withServer(server, async (client) => void (await client.query(statement)))
}

async function withServer<T>(server: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
