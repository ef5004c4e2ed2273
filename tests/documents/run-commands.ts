import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { startChild } from '@docent/server/test/child-server.ts'
import { makePdf, type PlacedText } from '@docent/server/test/files/make-pdf.ts'
import { Client, startSite, temporaryFolder } from '@docent/server/test/harness.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'
import { blocksOf, ROOT } from './blocks.ts'

/** Other tests run these commands, or they would download packages. */
const ELSEWHERE = /(^|=\S+ )npm (start|test|run .*)$|^(npm|pip) install /
/** These documents restore a backup over existing data, which only works with SQLite. */
const ON_A_FILE = ['docs/deploy-on-one-machine.md', 'docs/how-to/back-up-and-restore.md']
/** Other documents may use the variables that the first two blocks of this document set. */
const BY_EXAMPLE = ['docs/reference/http.md', 'docs/api-by-example.md'].find((file) =>
  existsSync(join(ROOT, file)),
)!
/** A reader puts the id of a chatbot in this place. */
const CHATBOT = /(?<![$\w{])CHATBOT(_UUID)?\b(?!=)/g

const HANDBOOK: PlacedText[] = [
  [72, 720, 'Visiting the museum', 20],
  [72, 680, 'The museum is open every day from 9 to 17, and on Fridays until 21.'],
  [72, 660, 'It is closed on 1 January.'],
  [72, 620, 'A ticket costs 12 euros. Children under six enter free.'],
]

/**
 * Tests that the bash blocks of each document work in order, on a server without chatbots, because a reader may begin
 * anywhere. Their output must contain each text block.
 */
export async function testCommands(files: string[]): Promise<void> {
  const site = await startSite({ after }, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      '<title>Your visit</title><h1>Your visit</h1><p>There are lifts to all floors.</p>',
    )
  })

  for (const file of files.filter((file) => commandsOf(file) !== '')) {
    test(`the commands of ${file} work as written`, async (t) => {
      const folder = temporaryFolder(t)
      const store = ON_A_FILE.includes(file) ? {} : await makeDatabase(t)
      const data = { DATA_DIR: join(folder, 'data'), ...store, ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
      const child = await startChild('apps/server/src/cli.ts', data, ['serve'])
      t.after(() => child.process.kill('SIGKILL'))
      const token = child.token!
      const commands = commandsOf(file)
      const chatbot = CHATBOT.test(commands)
        ? await new Client(child.address, token).createChatbot({ name: 'Museum guide' })
        : ''
      const here = (text: string) =>
        text
          .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):3000/g, child.address)
          .replaceAll('https://example.org', site)
          .replaceAll('docent_…', token)
          .replaceAll(CHATBOT, chatbot)
          .replaceAll('npx docent', `node ${join(ROOT, 'apps/server/bin/docent.mjs')}`)
      writeFileSync(join(folder, 'handbook.pdf'), makePdf([HANDBOOK]))
      const environment = {
        ...data,
        // biome-ignore lint/style/noProcessEnv: the shell needs its path
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        DOCENT_URL: child.address,
        // A script that logs in has no token yet.
        ...(!commands.includes('docent login') && { DOCENT_TOKEN: token }),
        XDG_CONFIG_HOME: join(folder, '.config'),
        XDG_STATE_HOME: join(folder, '.state'),
      }
      const { code, output } = await runShell(here(commands), folder, environment, token)

      assert.equal(code, 0, output)
      assert.doesNotMatch(output, /"code":"/, 'no command is answered with an error')
      for (const { kind, content } of blocksOf(file)) {
        if (kind === 'text')
          assert.ok(output.includes(here(content)), `${content}\n\nis not in\n\n${output}`)
      }
    })
  }
}

function commandsOf(file: string): string {
  const own = blocksOf(file).filter(
    ({ kind, content }) => kind === 'bash' && !ELSEWHERE.test(content),
  )
  const commands = own.map(({ content }) => content).join('\n')
  const usesNames = commands.includes('$API') && !commands.includes('API=')
  return usesNames ? `${namesByExample()}\n${commands}` : commands
}

function namesByExample(): string {
  const blocks = blocksOf(BY_EXAMPLE).filter(({ kind }) => kind === 'bash')
  return blocks
    .slice(0, 2)
    .map(({ content }) => content)
    .join('\n')
}

interface Outcome {
  code: number | null
  output: string
}

/** Passes the token on standard input, for commands that prompt for it. */
function runShell(commands: string, cwd: string, env: NodeJS.ProcessEnv, token: string) {
  // Without the trap, only an output would tell which command failed.
  const script = `trap 'echo "This command failed: $BASH_COMMAND" >&2' ERR\n${commands}`
  return new Promise<Outcome>((resolve) => {
    const shell = spawn('bash', ['--norc', '-Eeuo', 'pipefail', '-c', script], { cwd, env })
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
