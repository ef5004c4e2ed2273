import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { startProgram } from '@docent/server/test/child-server.ts'
import { attemptConfined } from '@docent/server/test/confined/attempt-confined.ts'
import { makePdf } from '@docent/server/test/files/make-pdf.ts'
import { Client, temporaryFolder } from '@docent/server/test/harness.ts'
import { ONLY_SQLITE } from '@docent/server/test/test-database.ts'

// Runs with the tests in a browser, because it needs built pages and the registry, and moves half a gigabyte.

const ROOT = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
// biome-ignore lint/style/noProcessEnv: npm keeps its cache at home
const { HOME, PATH } = process.env
const environment = { HOME, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` }

suite('the release archive', ONLY_SQLITE, () => {
  const folder = temporaryFolder({ after })
  const home = join(folder, 'home')
  const installed = join(home, 'node_modules/docent')
  const bin = join(home, 'node_modules/.bin/docent')

  function run(cwd: string, program: string, ...args: string[]): string {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: environment })
  }

  before(() => {
    mkdirSync(home)
    run(ROOT, process.execPath, join(ROOT, 'scripts/pack-release.ts'), folder)
    const archive = join(folder, `docent-${version}.tgz`)
    run(home, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', archive)
  })

  test('has a checksum', () => {
    run(folder, 'sha256sum', '--check', '--strict', 'SHA256SUMS')
  })

  test('serves the pages and answers from files, in the folder where it is started', async (t) => {
    const server = await startProgram(bin, ['serve'], { cwd: home, env: environment })
    t.after(() => server.process.kill('SIGKILL'))
    assert.ok(existsSync(join(home, 'data/docent.db')))
    assert.match(nodeOf(server.process.pid!), /node_modules\/node-linux-\w+\/bin\/node$/)
    const load = async (path: string) => {
      const response = await fetch(server.address + path, { headers: { accept: 'text/html' } })
      assert.equal(response.status, 200, path)
      return response.text()
    }
    for (const page of ['/', '/guide', '/guide/sources']) {
      const assets = [...(await load(page)).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)]
      assert.ok(assets.length > 0, `the assets of ${page}`)
      for (const [, path] of assets) await load(path!)
    }
    for (const path of ['/readyz', '/widget.js', '/docs', '/openapi.json']) await load(path)

    const owner = new Client(server.address, server.token!)
    const chatbot = await owner.createChatbot()
    const pdf = makePdf([[[50, 700, 'A ticket for the museum costs 12 euros.']]])
    await addFile(owner, chatbot, 'tickets.pdf', pdf)
    await addFile(owner, chatbot, 'hours.txt', 'The museum opens daily at nine in the morning.')
    const ask = async (question: string) =>
      (await owner.ask(await owner.createSession(chatbot), question)).text()
    assert.match(await ask('What does a ticket cost?'), /12 euros/)
    assert.match(await ask('When does the museum open?'), /at nine/)

    assert.equal(run(home, bin, '--version'), `${version}\n`)
    assert.match(run(home, bin, 'doctor'), /^ok +data folder .*\/home\/data$/m)
    run(home, bin, 'backup', 'backup.gz')
    assert.ok(existsSync(join(home, 'backup.gz')))
    assert.equal(await server.end('SIGTERM'), 0)
  })

  test('reads documents where there are no other files, no processes and no network', async (t) => {
    const source = readFileSync(
      join(ROOT, 'apps/server/test/confined/confined-attempts.ts'),
      'utf8',
    )
    const script = join(installed, 'apps/server/test/confined/confined-attempts.js')
    mkdirSync(dirname(script), { recursive: true })
    writeFileSync(script, stripTypeScriptTypes(source).replaceAll(".ts'", ".js'"))
    const confined = join(installed, 'apps/server/src/ingestion/confined/fork-confined.js')
    const { forkConfined } = await import(confined)
    for (const root of [home, installed])
      assert.deepEqual(await attemptConfined(t, forkConfined, script, root), [])
  })

  test('starts by the command of the image, and on a Node that did not come along', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    const [, command] = /(exec node .* \/app\/.* "\$@")/.exec(dockerfile)!
    const line = command!.replace('/app/', `${home}/`)
    assert.equal(run(home, 'sh', '-c', line, 'docent', '--version'), `${version}\n`)

    const own = join(home, `node_modules/node-${process.platform}-${process.arch}`)
    renameSync(own, join(folder, 'node'))
    assert.equal(run(home, bin, '--version'), `${version}\n`)
  })
})

async function addFile(
  owner: Client,
  chatbot: string,
  name: string,
  content: string | Buffer<ArrayBuffer>,
): Promise<void> {
  const upload = (await (await owner.upload(chatbot, name, content)).json()) as { uuid: string }
  assert.equal((await owner.settled(upload.uuid)).status, 'success', name)
}

/** The program of the process that a launcher has started. */
function nodeOf(launcher: number): string {
  const [child] = readFileSync(`/proc/${launcher}/task/${launcher}/children`, 'utf8').split(' ')
  return readlinkSync(`/proc/${child}/exe`)
}
