import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { startChild } from './child-server.ts'
import { temporaryFolder } from './harness.ts'

// The commands of the documents are run, and what they promise to print is compared.

const ROOT = join(import.meta.dirname, '../..')
const OTHERWISE_TESTED = /^npm (start|test)$/

function blocksOf(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/```(bash|text)\n(.*?)```/gs)].map(([, kind, content]) => ({
    kind: kind!,
    content: content!.trim(),
  }))
}

function runShell(script: string, cwd: string, environment: NodeJS.ProcessEnv) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env: environment })
    let output = ''
    shell.stdout.on('data', (chunk) => {
      output += chunk
    })
    shell.stderr.on('data', (chunk) => {
      output += chunk
    })
    shell.on('close', (code) => resolve({ code, output }))
  })
}

suite('the documents', () => {
  for (const file of ['README.md', 'docs/api-by-example.md', 'docs/deploy-on-one-machine.md']) {
    test(`the commands of ${file} work as they stand`, async (t) => {
      const folder = temporaryFolder(t)
      const child = await startChild('server/src/cli.ts', { DATA_DIR: folder }, ['serve'])
      t.after(() => child.process.kill('SIGKILL'))
      const blocks = blocksOf(file)
      const commands = blocks.filter(
        ({ kind, content }) => kind === 'bash' && !OTHERWISE_TESTED.test(content),
      )
      const script = commands
        .map(({ content }) => content)
        .join('\n')
        .replaceAll('http://127.0.0.1:3000', child.address)
        .replaceAll(/docent_…/g, child.token!)
        .replaceAll('npx docent', `node ${join(ROOT, 'server/bin/docent.mjs')}`)
      // biome-ignore lint/style/noProcessEnv: the shell needs its path
      const path = `${dirname(process.execPath)}:${process.env.PATH}`
      const { code, output } = await runShell(script, folder, { PATH: path, DATA_DIR: folder })

      assert.equal(code, 0, output)
      assert.doesNotMatch(output, /"code":"/, 'no command is answered with an error')
      for (const { kind, content } of blocks) {
        if (kind === 'text')
          assert.ok(output.includes(content), `${content}\n\nis not in\n\n${output}`)
      }
    })
  }

  test('every link between them leads somewhere', () => {
    const broken: string[] = []
    for (const file of [
      ...globSync('*.md', { cwd: ROOT }),
      ...globSync('docs/**/*.md', { cwd: ROOT }),
    ]) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        if (!existsSync(join(ROOT, dirname(file), target!))) broken.push(`${file}: ${target}`)
      }
    }
    assert.deepEqual(broken, [])
  })

  test('every setting is described, with its default', () => {
    const described = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
    const config = readConfig({})
    for (const [name, value] of [
      ['PORT', config.port],
      ['HOST', config.host],
      ['DEFAULT_MODEL', config.defaultModel],
      ['MODEL_FIRST_TEXT_SECONDS', config.modelTimeouts.firstTextMs / 1000],
      ['MODEL_STALL_SECONDS', config.modelTimeouts.stallMs / 1000],
      ['MAX_UPLOAD_MB', config.maxUploadBytes / 1024 / 1024],
      ['OCR_LANGUAGES', config.ocrLanguages],
      ['LOG_LEVEL', config.logLevel],
    ]) {
      assert.match(described, new RegExp(`\\| \`${name}\` \\| \`?${value}\`? \\|`))
    }
    assert.match(described, /`DATA_DIR` \| `\.\/data`/)
    assert.match(described, /`ALLOW_PRIVATE_HOSTS` \| none/)
  })
})
