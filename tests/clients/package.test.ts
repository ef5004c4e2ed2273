import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { publint } from 'publint'
import { answerOf, talkativeModel } from '../campaigns/cut-campaign.ts'
import { seeded } from '../campaigns/kill-campaign.ts'
import { startRandomCuts } from '../campaigns/random-cuts.ts'
import { packClient } from './pack-client.ts'

const SEED = 4
const TEXT = 'A ticket costs 12 euros.\n'

suite('the packed client', async () => {
  const { tarball, consumer, installed } = packClient({ after })
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const server = await startTestServer({ after }, { models: [talkativeModel(SEED)] })
  const { token } = server.owner
  const expected = {
    fileName: 'Öffnung "neu".txt',
    status: 'success',
    wasTold: true,
    answers: [0, 1, 2].map((number) => answerOf(number, SEED)),
    messages: 4,
    reason: 'enough',
    refused: true,
  }
  cpSync(join(import.meta.dirname, 'runs-anywhere.mjs'), join(consumer, 'runs-anywhere.mjs'))

  test('holds what it should and needs nothing else', () => {
    const files = globSync('**/*.*', { cwd: installed }).sort()
    assert.deepEqual(
      files.filter((file) => !file.startsWith('dist')),
      ['README.md', 'package.json'],
    )
    assert.ok(existsSync(join(installed, 'LICENSE')))
    assert.ok(['index', 'node'].every((name) => files.includes(`dist/${name}.d.ts`)))
    assert.equal(manifest.dependencies, undefined)
    assert.equal(manifest.peerDependencies, undefined)
  })

  test('has exports that every resolver and every kind of module finds', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })
    assert.deepEqual(messages, [])
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
    // Two problems are intended: CommonJS loads the client by import(), and Node 10 knows no exports.
    assert.ok(checked.types)
    const problems = checked.problems.filter(
      (problem) =>
        problem.kind !== 'CJSResolvesToESM' &&
        !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
    )
    assert.deepEqual(problems, [])
  })

  test('mentions nothing of Node’s outside of the entry for it', () => {
    for (const file of globSync('dist/*.js', { cwd: installed })) {
      const code = readFileSync(join(installed, file), 'utf8')
      if (file !== join('dist', 'node.js')) {
        assert.doesNotMatch(code, /node:|\bBuffer\b|\bprocess\./, file)
      }
    }
  })

  async function walkIn(command: string[]): Promise<unknown> {
    const cuts = await startRandomCuts({ after }, server.address, seeded(SEED))
    writeFileSync(join(consumer, 'tickets.txt'), TEXT)
    const program = `
      import * as docent from '@docent/client'
      import { openFile } from '@docent/client/node'
      import { walk } from './runs-anywhere.mjs'
      const file = await openFile('tickets.txt')
      const result = await walk(docent, { ...${JSON.stringify({ baseUrl: server.address, brokenUrl: cuts.address, token })}, file })
      console.log('RESULT ' + JSON.stringify(result))
    `
    const name = `walk-${command.at(-1)!.replace(/\W/g, '')}.mjs`
    writeFileSync(join(consumer, name), program)
    const output = await outputOf(
      spawn(command[0]!, [...command.slice(1), name], { cwd: consumer }),
    )
    const [, result] = /^RESULT (.*)$/m.exec(output) ?? assert.fail(output)
    return JSON.parse(result!)
  }

  const node20 = ['/usr/local/bin/node', '/usr/bin/node'].find((path) =>
    versionOf(path)?.startsWith('v20'),
  )
  test('runs on Node 20', { skip: node20 ? false : 'there is none on this machine' }, async () => {
    assert.deepEqual(await walkIn([node20!]), expected)
  })

  test('runs on the Node of this project', async () => {
    assert.deepEqual(await walkIn([process.execPath]), expected)
  })

  for (const [name, args] of [
    ['deno', ['run', '--allow-all', '--node-modules-dir=manual']],
    ['bun', ['run']],
  ] as const) {
    const skip = versionOf(name) ? false : `${name} is not on this machine`
    test(`runs on ${name}`, { skip }, async () => {
      assert.deepEqual(await walkIn([name, ...args]), expected)
    })
  }

  test('runs in a browser, from another origin', needsChromium(), async (t) => {
    // A browser sends longer headers and preflight requests, so connections last longer.
    const cuts = await startRandomCuts(t, server.address, seeded(SEED), 3)
    const site = await startSite(t, (request, response) => {
      const path = new URL(request.url!, 'http://here').pathname
      if (path === '/') {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
        return
      }
      const file = path.startsWith('/dist/') ? join(installed, path) : join(consumer, path)
      if (!existsSync(file)) response.writeHead(404).end()
      else response.setHeader('content-type', 'text/javascript').end(readFileSync(file))
    })
    const browser = await openBrowser(t)
    const page = await browser.newPage()
    await page.goto(site)
    const setting = { baseUrl: server.address, brokenUrl: cuts.address, token }
    for (const kind of ['page', 'worker']) {
      const result = await page.evaluate(
        async ({ setting, text, kind }) => {
          const code = `
            const docent = await import('${location.origin}/dist/index.js')
            const { walk } = await import('${location.origin}/runs-anywhere.mjs')
            const result = await walk(docent, { ...${JSON.stringify(setting)}, file: new Blob([${JSON.stringify(text)}]) })
          `
          if (kind === 'page') {
            const source = `${code}; export default result`
            const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
            return (await import(url)).default
          }
          const source = `${code}; postMessage(result)`
          const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
          const worker = new Worker(url, { type: 'module' })
          return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data)
            worker.onerror = ({ message }) => reject(new Error(message))
          })
        },
        { setting, text: TEXT, kind },
      )
      assert.deepEqual(result, expected, kind)
    }
  })
})

function versionOf(command: string): string | undefined {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  await new Promise((resolve, reject) => {
    child.on('close', resolve)
    child.on('error', reject)
  })
  return output
}
