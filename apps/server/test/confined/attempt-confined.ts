import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import type { forkConfined } from '../../src/ingestion/confined/fork-confined.ts'

/** Runs `confined-attempts` in a confined process, and returns the attempts that succeeded. */
export async function attemptConfined(
  t: TestContext,
  fork: typeof forkConfined,
  script: string,
  root: string,
): Promise<string[]> {
  const listener = createServer().listen(0, '127.0.0.1')
  t.after(() => listener.close())
  await once(listener, 'listening')
  let connections = 0
  listener.on('connection', (socket) => {
    connections += 1
    socket.destroy()
  })
  const { port } = listener.address() as { port: number }
  const files = waysTo(makeDataFile(t, root), root)
  for (const file of files) assert.equal(readFileSync(file, 'utf8'), 'secret')

  const child = fork(script, [script])
  t.after(() => child.kill())
  const told = new Promise<{ attempted: number; succeeded: string[] }>((resolve, reject) => {
    child.on('exit', () => reject(new Error('The process ended')))
    child.on('message', (message: object) => {
      if ('listening' in message) child.send({ port, files })
      if ('attempted' in message) resolve(message as never)
    })
  })
  const { attempted, succeeded } = await told
  assert.ok(attempted > 10 + files.length)
  assert.equal(connections, 0)
  return succeeded
}

/** A file in the data folder of a server that is started in `root`. */
function makeDataFile(t: TestContext, root: string): string {
  mkdirSync(join(root, 'data'), { recursive: true })
  const folder = mkdtempSync(join(root, 'data/attempt-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'docent.db')
  writeFileSync(file, 'secret')
  return file
}

/**
 * Also paths that seem to lead into `node_modules`. Node checks a path as text, where `..` removes the link before it.
 * The system follows the link first.
 */
function waysTo(file: string, root: string): string[] {
  const links = globSync(join(root, 'node_modules/{*,@*/*,*/node_modules/*}'))
  const ways = links
    .map((link) => ({ link, target: realpathSync(link) }))
    .filter(({ link, target }) => link !== target)
    .map(({ link, target }) => `${link}/${relative(target, file)}`)
  return [file, relative(process.cwd(), file), ...ways]
}
