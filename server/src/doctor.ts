import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { checkPostgres } from './database/check-postgres.ts'
import { connectForMigration } from './database/connect-postgres.ts'
import { databaseFile } from './database/data-folder.ts'
import { openSqlite } from './database/open-sqlite.ts'
import { adviseOn, storageFaultOf } from './database/storage-fault.ts'
import { checkProvider } from './models/check-provider.ts'

interface Finding {
  check: string
  /** A sentence that says what to do; undefined when all is well. */
  problem: string | undefined
}

/** Looks at everything that a start depends on, changes nothing, and says what is wrong. False if anything is. */
export async function runDoctor(
  environment: NodeJS.ProcessEnv,
  args: string[],
  print: (line: string) => void,
): Promise<boolean> {
  const findings = await findProblems(environment)
  if (args.includes('--json')) print(JSON.stringify(findings, null, 2))
  else
    for (const { check, problem } of findings)
      print(problem === undefined ? `ok    ${check}` : `WRONG ${check}: ${problem}`)
  return findings.every(({ problem }) => problem === undefined)
}

async function findProblems(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    return [{ check: 'settings', problem: (error as Error).message }]
  }
  const providers = await Promise.all(config.providers.map(checkProvider))
  return [
    { check: 'settings', problem: undefined },
    { check: `data folder ${config.dataDir}`, problem: checkDataFolder(config.dataDir) },
    ...(config.databaseUrl === undefined ? [] : [await checkServer(config.databaseUrl)]),
    ...providers.map(({ provider, problem }) => ({ check: `provider ${provider}`, problem })),
  ]
}

async function checkServer(url: string): Promise<Finding> {
  const db = connectForMigration(url)
  try {
    await checkPostgres(db, url, { mayChange: false })
    return { check: 'database', problem: undefined }
  } catch (error) {
    return { check: 'database', problem: (error as Error).message }
  } finally {
    await db.destroy()
  }
}

function checkDataFolder(folder: string): string | undefined {
  // The first start makes it, in the nearest folder that is there.
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  if (!statSync(nearest).isDirectory())
    return `${nearest} is no folder. Give another one with DATA_DIR.`
  try {
    accessSync(nearest, constants.W_OK)
  } catch {
    return `This user may not write to ${nearest}.`
  }
  const file = databaseFile(folder)
  if (!existsSync(file)) return undefined
  try {
    const database = openSqlite(file, { readOnly: true })
    try {
      database.prepare('SELECT count(*) FROM users').get()
      const [found] = database.prepare('PRAGMA quick_check(1)').all()
      return found?.quick_check === 'ok' ? undefined : adviseOn('damaged', folder)
    } finally {
      database.close()
    }
  } catch (error) {
    const fault = storageFaultOf(error)
    if (fault === 'damaged') return adviseOn(fault, folder)
    return `Its database can't be read: ${(error as Error).message}.`
  }
}
