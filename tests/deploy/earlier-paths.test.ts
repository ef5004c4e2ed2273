import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { startChild, startProgram } from '@docent/server/test/child-server.ts'
import { Client, temporaryFolder } from '@docent/server/test/harness.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'

// Service files and MCP client settings contain these paths, so they stay for one version.

const ROOT = join(import.meta.dirname, '../..')
// Before and after the move.
const CLI = ['server/src/cli.ts', 'apps/server/src/cli.ts']
const QUESTION = 'When is the museum open?'
const ANSWER = 'Daily from 9 to 17.'

test('a service file of an earlier version starts this one', async (t) => {
  const settings = { DATA_DIR: temporaryFolder(t), ...(await makeDatabase(t)) }
  const server = await startChild('server/src/cli.ts', settings, ['serve'])
  t.after(() => server.process.kill('SIGKILL'))
  const owner = new Client(server.address, server.token!)
  assert.equal((await owner.json('GET', '/chatbots')).status, 200)
})

test('the launcher of an earlier version is this one', () => {
  const launcher = join(ROOT, 'server/bin/docent.mjs')
  const { stdout, status } = spawnSync(process.execPath, [launcher, '--version'], {
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

test('a checkout of an earlier version is pulled, and its old unit starts this version on its data', async (t) => {
  const moved = git(ROOT, 'log', '-1', '--format=%H', '--diff-filter=R', '--', ...CLI)
  if (moved === '') return t.skip('the history is too short: git fetch --unshallow')
  // Below the root, so that Node finds packages. Both versions need the same.
  mkdirSync(join(ROOT, '.types'), { recursive: true })
  const home = mkdtempSync(join(ROOT, '.types/earlier-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  git(ROOT, 'clone', '--quiet', '--shared', '--no-checkout', ROOT, home)
  git(home, 'checkout', '--quiet', '-B', 'main', `${moved}^`)
  linkPackages(home)
  const data = temporaryFolder(t)
  const unit = readFileSync(join(home, 'deploy/docent.service'), 'utf8')
    .replaceAll('/opt/docent', home)
    .replaceAll(/=\/var\/\w+\/docent/g, `=${data}`)
  assert.match(unit, /^ExecStart=.* server\/src\/cli\.ts serve$/m)
  const settings = await makeDatabase(t)

  const before = await startUnit(unit, settings)
  t.after(() => before.process.kill('SIGKILL'))
  const owner = new Client(before.address, before.token!)
  const chatbot = await owner.createChatbot()
  await owner.createPair(chatbot, QUESTION, ANSWER)
  assert.equal(await before.end('SIGTERM'), 0)

  git(home, 'pull', '--quiet', '--ff-only', ROOT, 'HEAD')
  linkPackages(home)
  const after = await startUnit(unit, settings)
  t.after(() => after.process.kill('SIGKILL'))
  const same = new Client(after.address, owner.token)
  const answer = await same.ask(await same.createSession(chatbot), QUESTION)
  assert.equal(await answer.text(), ANSWER)
  assert.equal(await after.end('SIGTERM'), 0)
})

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim()
}

/** Stands in for an installation, which takes a minute. */
function linkPackages(home: string): void {
  const packages = join(home, 'node_modules')
  rmSync(packages, { recursive: true, force: true })
  mkdirSync(join(packages, '@docent'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/node'), join(packages, 'node'))
  for (const manifest of globSync('{*,*/*}/package.json', {
    cwd: home,
    exclude: ['node_modules'],
  })) {
    const { name } = JSON.parse(readFileSync(join(home, manifest), 'utf8'))
    if (/^@docent\//.test(name)) symlinkSync(join(home, dirname(manifest)), join(packages, name))
  }
}

/** Runs the command line of a service file in its folder and with its environment, as systemd does. */
function startUnit(unit: string, settings: NodeJS.ProcessEnv) {
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const environment = valuesOf('Environment').map((pair) => pair.split('=') as [string, string])
  const [program, ...args] = valuesOf('ExecStart')[0]!.split(' ')
  const env = { ...Object.fromEntries(environment), ...settings }
  return startProgram(program!, args, { cwd: valuesOf('WorkingDirectory')[0], env })
}
