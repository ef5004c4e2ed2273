import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { MAX_CHARACTERS } from '@docent/extract/text-limit.ts'
import { PASSAGES_FOR_A_MODEL } from '@docent/server/src/answering/answer.ts'
import { MOST_HISTORY_TOKENS } from '@docent/server/src/answering/build-prompt.ts'
import { readConfig } from '@docent/server/src/config.ts'
import { MOST_IDLE_CONNECTIONS } from '@docent/server/src/http/guards/idle-connections.ts'
import { BODY_LIMITS } from '@docent/server/src/http/guards/unfinished-bodies.ts'
import { UPLOAD_LIMITS } from '@docent/server/src/sharing/upload-places.ts'
import { startChild } from '@docent/server/test/child-server.ts'
import { makePdf, type PlacedText } from '@docent/server/test/files/make-pdf.ts'
import { startSite, startTestServer, temporaryFolder } from '@docent/server/test/harness.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'

// Runs the commands of all documents, and compares the output with the documents. New documents need no entry here.

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = [
  'README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/decisions/**'] }).sort(),
]
/** Other tests run these commands, or they would download packages. */
const ELSEWHERE = /(^|=\S+ )npm (start|test|run .*)$|^(npm|pip) install /
/** This document restores a backup over existing data, which only works with SQLite. */
const ON_A_FILE = 'docs/how-to/back-up-and-restore.md'
/** Other documents may use the variables that this document sets. */
const NAMES = blocksOf('docs/reference/http.md')
  .filter(({ kind }) => kind === 'bash')
  .slice(0, 2)
  .map(({ content }) => content)
  .join('\n')

function blocksOf(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind, content]) => ({
    kind: kind!,
    content: content!.trim(),
  }))
}

function scriptOf(file: string): string {
  const commands = blocksOf(file)
    .filter(({ kind, content }) => kind === 'bash' && !ELSEWHERE.test(content))
    .map(({ content }) => content)
    .join('\n')
  const usesNames = commands.includes('$API') && !commands.includes('API=')
  return usesNames ? `${NAMES}\n${commands}` : commands
}

const HANDBOOK: PlacedText[] = [
  [72, 720, 'Visiting the museum', 20],
  [72, 680, 'The museum is open every day from 9 to 17, and on Fridays until 21.'],
  [72, 660, 'It is closed on 1 January.'],
  [72, 620, 'A ticket costs 12 euros. Children under six enter free.'],
]

interface Outcome {
  code: number | null
  output: string
}

/** Passes the token on standard input, for commands that prompt for it. */
function runShell(script: string, cwd: string, env: NodeJS.ProcessEnv, token: string) {
  return new Promise<Outcome>((resolve) => {
    const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env })
    let output = ''
    shell.stdout.on('data', (chunk) => {
      output += chunk
    })
    shell.stderr.on('data', (chunk) => {
      output += chunk
    })
    shell.stdin.on('error', () => {})
    shell.stdin.end(`${token}\n`)
    shell.on('close', (code) => resolve({ code, output }))
  })
}

suite('the documents', async () => {
  const site = await startSite({ after }, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      '<title>Your visit</title><h1>Your visit</h1><p>There are lifts to all floors.</p>',
    )
  })

  for (const file of DOCUMENTS.filter((file) => scriptOf(file) !== '')) {
    test(`the commands of ${file} work as they stand`, async (t) => {
      const folder = temporaryFolder(t)
      const store = file === ON_A_FILE ? {} : await makeDatabase(t)
      const data = { DATA_DIR: join(folder, 'data'), ...store, ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
      const child = await startChild('apps/server/src/cli.ts', data, ['serve'])
      t.after(() => child.process.kill('SIGKILL'))
      const here = (text: string) =>
        text
          .replaceAll('http://127.0.0.1:3000', child.address)
          .replaceAll('https://example.org', site)
          .replaceAll('docent_…', child.token!)
      const script = here(scriptOf(file)).replaceAll(
        'npx docent',
        `node ${join(ROOT, 'apps/server/bin/docent.mjs')}`,
      )
      writeFileSync(join(folder, 'handbook.pdf'), makePdf([HANDBOOK]))
      const environment = {
        ...data,
        // biome-ignore lint/style/noProcessEnv: the shell needs its path
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        DOCENT_URL: child.address,
        // A script that logs in has no token yet.
        ...(!script.includes('mjs login') && { DOCENT_TOKEN: child.token }),
        XDG_CONFIG_HOME: join(folder, '.config'),
        XDG_STATE_HOME: join(folder, '.state'),
      }
      const { code, output } = await runShell(script, folder, environment, child.token!)

      assert.equal(code, 0, output)
      assert.doesNotMatch(output, /"code":"/, 'no command is answered with an error')
      for (const { kind, content } of blocksOf(file)) {
        if (kind === 'text')
          assert.ok(output.includes(here(content)), `${content}\n\nis not in\n\n${output}`)
      }
    })
  }

  test('the JSON in them is JSON, the scripts are scripts, and no other kind of block is left unlooked at', () => {
    for (const file of DOCUMENTS) {
      for (const { kind, content } of blocksOf(file)) {
        // tests/clients runs TypeScript and Python, and tests/deploy covers an operator's commands and settings.
        if (['bash', 'text', 'ts', 'python', 'sh', 'ini'].includes(kind)) continue
        if (kind === 'json') JSON.parse(content)
        else if (kind === 'js') new Script(`async () => {${content.replace(/^import .*$/gm, '')}}`)
        else if (kind === 'html')
          assert.match(content, /^<script src="\S+\/widget\.js" data-chatbot="[^"]+"/)
        else assert.fail(`${file} has a block of ${kind}`)
      }
    }
  })

  test('the JavaScript for OpenAI’s library works as it stands', async (t) => {
    const { address, owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ name: 'Museum guide' })
    await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
    const [example] = blocksOf('docs/how-to/use-openai-clients.md').filter(
      ({ kind }) => kind === 'js',
    )
    const program = example!.content
      .replaceAll('http://127.0.0.1:3000', address)
      .replaceAll('docent_…', owner.token)
    const folder = join(ROOT, 'apps/server/test')
    const args = ['--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} })
    assert.equal(stdout, 'Daily from 9 to 17.\n')
  })

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

  test('the reference of limits has the values of the code', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/limits.md'), 'utf8')
    const { leastBytes, withinMs, perSender, inAll } = BODY_LIMITS
    const { maxUploadBytes, maxWaitingAnswers, modelTimeouts } = readConfig({})
    for (const row of [
      `| A body that stalls | ${leastBytes / 1024} KB in ${withinMs / 1000} seconds |`,
      `| Unfinished bodies | ${perSender} for each owner, ${inAll} for all owners;`,
      `| Connections without a request | ${MOST_IDLE_CONNECTIONS} |`,
      `| Waiting answers | ${maxWaitingAnswers} for language models, ${maxWaitingAnswers} for the built-in engine |`,
      `| First text of a language model | ${modelTimeouts.firstTextMs / 1000} seconds |`,
      `| Pause within an answer | ${modelTimeouts.stallMs / 1000} seconds |`,
      `| Passages for a language model | ${PASSAGES_FOR_A_MODEL} |`,
      `| Conversation for a language model | ${MOST_HISTORY_TOKENS.toLocaleString('en')} tokens |`,
      `| File | ${maxUploadBytes / 1024 ** 2} MB, at most 500 |`,
      `| Uploads of a token | ${UPLOAD_LIMITS.perToken} at once | | waits ${UPLOAD_LIMITS.waitMs / 1000} seconds`,
      `| Uploads in total | ${UPLOAD_LIMITS.inAll} at once;`,
      `| Text | ${MAX_CHARACTERS / 1_000_000} million characters |`,
    ]) {
      assert.ok(page.includes(row), row)
    }
  })
})
