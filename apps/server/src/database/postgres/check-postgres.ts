import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { lockMigration } from '../migrate.ts'

const OLDEST_SERVER = 150_000
const OLDEST_VECTOR = [0, 7]

/** Returns undefined if the server can be used, or a sentence that says what to change. May create the extension. */
export async function checkPostgres(
  db: Database,
  url: string,
  { mayChange }: { mayChange: boolean },
): Promise<void> {
  const { host, pathname, username } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1)) || username
  try {
    await checkServer(db, database, mayChange)
  } catch (error) {
    throw new Error(explain(error, { host, database }), { cause: error })
  }
}

async function checkServer(db: Database, database: string, mayChange: boolean): Promise<void> {
  const { rows } = await sql<{
    version: number
    installed: string | null
    available: string | null
    may_create: boolean
    is_replica: boolean
  }>`SELECT current_setting('server_version_num')::int AS version,
      (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
      (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available,
      has_schema_privilege(current_schema(), 'CREATE') AS may_create,
      pg_is_in_recovery() AS is_replica`.execute(db)
  const { version, installed, available, may_create, is_replica } = rows[0]!
  if (version < OLDEST_SERVER)
    throw new Problem(`it is version ${Math.floor(version / 10_000)}, but 15 or newer is required`)
  if (is_replica) throw new Problem('it is a read-only replica. Use the primary')
  if (installed === null && available === null)
    throw new Problem(
      'it has no pgvector. Install it (Debian: postgresql-17-pgvector; hosted servers list it as an extension)',
    )
  if (!may_create)
    throw new Problem(
      `its user cannot create tables. As an administrator, run in ${database}: GRANT CREATE ON SCHEMA public TO the user`,
    )
  if (installed === null && mayChange) await createExtension(db)
  const found = (installed ?? available ?? '').split('.').map(Number)
  if (found[0] === OLDEST_VECTOR[0] && found[1]! < OLDEST_VECTOR[1]!)
    throw new Problem(
      `its pgvector is ${found.join('.')}, but 0.7 or newer is required. Upgrade it, then run ALTER EXTENSION vector UPDATE`,
    )
}

/** If several nodes start together, the server lets only one of them create it. */
async function createExtension(db: Database): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockMigration(db)
    await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(db)
  })
}

class Problem extends Error {}

function explain(error: unknown, { host, database }: { host: string; database: string }): string {
  const say = (what: string) => `The PostgreSQL database of DATABASE_URL cannot be used: ${what}.`
  if (error instanceof Problem) return say(error.message)
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  switch (code) {
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
      return say(`no server responds at ${host}`)
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say(`the host ${host} was not found`)
    case '28P01':
    case '28000':
      return say(`it rejects this user or password (${message})`)
    case '3D000':
      return say(`it has no database "${database}". Create it with: createdb ${database}`)
    // The pooler keeps no prepared statements.
    case '26000':
    case '42P05':
      return say(
        `the pooler before it loses prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements above 0 (${message})`,
      )
    case '42501':
      return message.includes('extension')
        ? say(
            `its user cannot create the extension. As an administrator, run in ${database}: CREATE EXTENSION vector`,
          )
        : say(message)
    default:
      return say(message)
  }
}
