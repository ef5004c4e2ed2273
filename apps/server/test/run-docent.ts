import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild } from './child-server.ts'
import { Client, type Ends, type TestServer, temporaryFolder } from './harness.ts'
import { makeDatabase } from './test-database.ts'

export const LAUNCHER = join(import.meta.dirname, '../bin/docent.mjs')

// A command that hangs must not stop the whole test run.
const PATIENCE_MS = 180_000

/** Runs a command in its own process and returns how it ended. */
export async function docent(
  folder: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = folder,
) {
  const options = { env: { DATA_DIR: folder, ...environment }, cwd, timeout: PATIENCE_MS }
  const result = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, stdout, stderr }),
  )
  return { ...result, json: () => JSON.parse(result.stdout) }
}

/** Runs a command on the store of a server. */
export function docentOn(
  { config: { dataDir, databaseUrl } }: Pick<TestServer, 'config'>,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
) {
  const store = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  return docent(dataDir, args, { ...store, ...environment })
}

/** Runs a command that must succeed and parses its output. */
export async function runForJson(
  server: Pick<TestServer, 'config'>,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
) {
  const result = await docentOn(server, [...args, '--json'], environment)
  assert.equal(result.code, 0, result.stderr)
  return result.json()
}

export function serve(
  folder: string,
  environment: NodeJS.ProcessEnv = {},
  log: number | 'pipe' = 'pipe',
) {
  return startChild('apps/server/src/cli.ts', { DATA_DIR: folder, ...environment }, ['serve'], log)
}

/** A server with its own store while the test runs. `store` lets other processes find that store. */
export async function startCli(t: Ends, environment: NodeJS.ProcessEnv = {}) {
  const store = await makeDatabase(t)
  return { store, ...(await startOnFile(t, { ...store, ...environment })) }
}

/** Always uses SQLite, whichever store is tested: for tests of the SQLite file or of moving away from it. */
export async function startOnFile(t: Ends, environment: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder(t)
  const child = await serve(folder, environment)
  t.after(() => child.process.kill('SIGKILL'))
  return { folder, child, client: new Client(child.address, child.token!) }
}
