import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { type Config, readConfig } from '../../config.ts'
import { databaseFile, findUnusableFile, restoringFile } from '../../database/data-folder.ts'
import { listApplied, refuseNewerSchema } from '../../database/migrate.ts'
import { checkMovedDatabase, checkMovedFolder } from '../../database/moved-marker.ts'
import { checkPostgres } from '../../database/postgres/check-postgres.ts'
import { connectForMigration } from '../../database/postgres/connect-postgres.ts'
import { openSqlite } from '../../database/sqlite/open-sqlite.ts'
import { adviseOn, storageFaultOf } from '../../database/storage-fault.ts'
import { AppError } from '../../errors.ts'
import {
  adviseOnUnfinished,
  type NamedChatbot,
  UNFINISHED_IMPORTS,
} from '../../keeping/chatbot-files/unfinished-imports.ts'
import { adviseOnLeftovers, findLeftovers } from '../../keeping/unfinished-files.ts'
import { checkProvider } from '../../models/check-provider.ts'
import { describeMisspelled } from '../../runtime/misspelled-settings.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { checkConnection } from './check-connection.ts'

const MEGABYTE = 1024 * 1024
const ENOUGH_BYTES = 500 * MEGABYTE
const CLOCK_TOLERANCE_MS = 300_000

interface Finding {
  check: string
  /** A sentence that says what to do. Undefined if the check passed. */
  problem: string | undefined
  /** Useful information that is not a problem. */
  note?: string
}

/** Checks everything that a start depends on, changes nothing, and reports problems. */
export async function runDoctor({ environment, json, terminal }: Invocation): Promise<number> {
  const findings = await findProblems(environment)
  if (json) terminal.print(JSON.stringify(findings, null, 2))
  else for (const finding of findings) terminal.print(lineOf(finding))
  return findings.some(({ problem }) => problem !== undefined) ? EXIT.failed : EXIT.done
}

function lineOf({ check, problem, note }: Finding): string {
  if (problem !== undefined) return `WRONG ${check}: ${problem}`
  return note === undefined ? `ok    ${check}` : `note  ${check}: ${note}`
}

async function findProblems(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    return [{ check: 'settings', problem: (error as Error).message }]
  }
  const [providers, connection] = await Promise.all([
    Promise.all(config.providers.map(checkProvider)),
    checkConnection(environment),
  ])
  return [
    lookAtSettings(config),
    lookAtDataFolder(config),
    ...(config.databaseUrl === undefined
      ? checkFile(config.dataDir)
      : await checkServer(config.databaseUrl)),
    lookForLeftovers(config.dataDir),
    { check: 'disk space', problem: checkSpace(config.dataDir) },
    ...providers.map(({ provider, problem }) => ({ check: `provider ${provider}`, problem })),
    ...(connection
      ? [
          {
            check: `connection to ${connection.url}`,
            problem: connection.problems.join(' ') || undefined,
          },
        ]
      : []),
  ]
}

function lookAtSettings({ misspelt }: Config): Finding {
  const note = misspelt.map(describeMisspelled).join(' ')
  return { check: 'settings', problem: undefined, ...(note && { note }) }
}

function lookForLeftovers(folder: string): Finding {
  const notes = [adviseOnLeftovers(findLeftovers(folder))]
  if (existsSync(restoringFile(folder))) {
    notes.push(
      `${restoringFile(folder)} belongs to a restore that is running or was interrupted. If it was interrupted, the next start removes it.`,
    )
  }
  const note = notes.filter(Boolean).join(' ')
  return { check: 'leftovers', problem: undefined, ...(note && { note }) }
}

async function checkServer(url: string): Promise<Finding[]> {
  const db = connectForMigration(url)
  try {
    await checkPostgres(db, url, { mayChange: false })
    const applied = await listApplied(db)
    refuseNewerSchema(applied)
    if (applied.length > 0) await checkMovedDatabase(db)
    // The tables do not exist before the first start.
    const read = async <Row>(query: string) => {
      const result = await sql
        .raw<Row>(query)
        .execute(db)
        .catch(() => undefined)
      return result?.rows ?? []
    }
    return [
      { check: 'database', problem: undefined },
      {
        check: 'imports',
        problem: adviseOnUnfinished(await read<NamedChatbot>(UNFINISHED_IMPORTS)),
      },
      { check: 'clock', problem: adviseOnClock(await read<Newest>(NEWEST_SESSION)) },
    ]
  } catch (error) {
    return [{ check: 'database', problem: (error as Error).message }]
  } finally {
    await db.destroy()
  }
}

function checkFile(folder: string): Finding[] {
  const imports = readDatabase<NamedChatbot>(folder, UNFINISHED_IMPORTS)
  return [
    { check: 'imports', problem: adviseOnUnfinished(imports) },
    { check: 'clock', problem: adviseOnClock(readDatabase<Newest>(folder, NEWEST_SESSION)) },
  ]
}

/** The first start creates the folder inside the nearest existing one. */
function nearestFolder(folder: string): string {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  return nearest
}

function checkSpace(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(nearestFolder(folder))
  const free = bavail * bsize
  if (free >= ENOUGH_BYTES) return undefined
  return `Only ${Math.floor(free / MEGABYTE)} MB are free for ${folder}. Free some space, or move the folder and set DATA_DIR.`
}

const NEWEST_SESSION = 'SELECT max(modified_at) AS at FROM sessions'
type Newest = { at: number | null }

/** Lists are ordered by time, and tokens expire by it. */
function adviseOnClock([found]: Newest[]): string | undefined {
  const newest = found?.at ?? null
  if (newest === null || newest <= Date.now() + CLOCK_TOLERANCE_MS) return undefined
  return `The newest session is from ${new Date(newest).toISOString()}, which is in the future for this machine. Correct its clock (timedatectl set-ntp true).`
}

/** Returns no rows if the file is missing or unreadable, because another check reports that. */
function readDatabase<Row>(folder: string, query: string): Row[] {
  const file = databaseFile(folder)
  if (!existsSync(file)) return []
  try {
    const database = openSqlite(file, { readOnly: true })
    const rows = database.prepare(query).all()
    database.close()
    return rows as Row[]
  } catch {
    return []
  }
}

function lookAtDataFolder({ dataDir: folder, databaseUrl }: Config): Finding {
  const usesFile = databaseUrl === undefined
  const finding = { check: `data folder ${folder}`, problem: checkDataFolder(folder, usesFile) }
  if (existsSync(folder)) return finding
  // Normal before the first start. Later it means a mistyped DATA_DIR.
  return { ...finding, note: 'It does not exist yet. The first start creates it.' }
}

function checkDataFolder(folder: string, usesFile: boolean): string | undefined {
  const nearest = nearestFolder(folder)
  if (!statSync(nearest).isDirectory())
    return `${nearest} is not a folder. Set DATA_DIR to another one.`
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return `This user cannot write to ${nearest}.`
  }
  const unusable = findUnusableFile(folder)
  if (unusable !== undefined) return unusable
  const file = databaseFile(folder)
  // With PostgreSQL, a file that is left from before a move does not matter.
  if (!usesFile || !existsSync(file)) return undefined
  try {
    const database = openSqlite(file, { readOnly: true })
    try {
      checkMovedFolder(folder)
      database.prepare('SELECT count(*) FROM users').get()
      const applied = database.prepare('SELECT name FROM kysely_migration').all()
      refuseNewerSchema(applied.map(({ name }) => String(name)))
      const [found] = database.prepare('PRAGMA quick_check(1)').all()
      return found?.quick_check === 'ok' ? undefined : adviseOn('damaged')
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof AppError) return error.message
    const fault = storageFaultOf(error)
    if (fault === 'damaged') return adviseOn(fault)
    return `Its database cannot be read: ${(error as Error).message}.`
  }
}
