import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import type { ChildServer } from '@docent/server/test/child-server.ts'
import type { Ends } from '@docent/server/test/harness.ts'
import { needsPython, PYTHON } from '@docent/server/test/machine/outside-tools.ts'
import { startCli } from '@docent/server/test/run-docent.ts'
import { ROOT } from './examples-in-text.ts'
import { packClient } from './pack-client.ts'

// The blocks of a document form one program, because a reader types them in order.

function programOf(file: string, language: string, { address, token }: ChildServer): string {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    .map(([, block]) => block)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', address)
    .replaceAll('docent_…', token!)
}

async function runProgram(command: string[], cwd: string): Promise<string> {
  const child = spawn(command[0]!, command.slice(1), { cwd, env: { PYTHONIOENCODING: 'utf-8' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, output)
  return output
}

suite('the documents about programs', async () => {
  const { consumer } = packClient({ after })

  const startServer = async (t: Ends) => (await startCli(t)).child

  function runTypeScript(name: string, program: string): Promise<string> {
    writeFileSync(join(consumer, name), program)
    const flags = ['--disable-warning=ExperimentalWarning']
    return runProgram([process.execPath, ...flags, name], consumer)
  }

  test('the Python of the HTTP reference works as it stands', needsPython(), async (t) => {
    const program = programOf('docs/reference/http.md', 'python', await startServer(t))
    writeFileSync(join(consumer, 'by-example.py'), program)
    const output = await runProgram([PYTHON, 'by-example.py'], consumer)
    assert.match(output, /^Daily from 9 to 17\. \[1\.1\]/m)
    assert.match(output, /'type': 'message-end'/)
  })

  test('the TypeScript of the client’s reference works as it stands', async (t) => {
    writeFileSync(join(consumer, 'handbook.md'), '# Tickets\n\nA ticket costs 12 euros.\n')
    const program = programOf('docs/reference/client.md', 'ts', await startServer(t))
    const output = await runTypeScript('guide.mts', program)
    assert.match(output, /^A ticket costs 12 euros\. \[1\.1\] 0$/m)
    assert.match(output, /^Which fields: \[/m)
    assert.match(output, /^success/m)
    assert.match(output, /type: 'message-end'/)
  })
})
