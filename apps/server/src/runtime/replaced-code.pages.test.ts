import assert from 'node:assert/strict'
import { appendFileSync, cpSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { startChild } from '../../test/child-server.ts'
import { Client, temporaryFolder, until } from '../../test/harness.ts'

const ROOT = join(import.meta.dirname, '../../../..')

test('a server whose files were replaced starts nothing of the new version, and asks for a restart', async (t) => {
  const copy = temporaryFolder(t)
  cpSync(join(ROOT, 'apps/server/src'), join(copy, 'apps/server/src'), { recursive: true })
  for (const name of ['apps/server/package.json', 'package.json']) {
    cpSync(join(ROOT, name), join(copy, name))
  }
  for (const name of ['models', 'docs', 'packages', 'node_modules', 'apps/console', 'apps/guide']) {
    symlinkSync(join(ROOT, name), join(copy, name))
  }
  const pages = join(copy, 'apps/widget/dist')
  cpSync(join(ROOT, 'apps/widget/dist'), pages, { recursive: true })
  endReadersWhenTold(copy)
  const script = relative(ROOT, join(copy, 'apps/server/src/cli.ts'))
  const first = await startChild(script, { DATA_DIR: join(copy, 'data') }, ['serve'])
  t.after(() => first.process.kill('SIGKILL'))
  const owner = new Client(first.address, first.token!)
  const chatbot = await owner.createChatbot()

  const later = new Date(Date.now() + 60_000)
  utimesSync(join(copy, 'apps/server/src/ingestion/confined/read-task.ts'), later, later)
  const upload = await owner.upload(chatbot, 'hours.txt', 'The museum opens at nine.')
  const { uuid } = (await upload.json()) as { uuid: string }
  const waiting = await until(async () => {
    const { body } = await owner.json('GET', `/data-source/${uuid}`)
    assert.notEqual(body.status, 'success')
    return JSON.parse(body.meta_json).waiting as string | undefined
  })
  assert.match(waiting, /Restart the server/)
  const mcp = await fetch(`${first.address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${first.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  assert.equal(mcp.status, 503)
  assert.match(await mcp.text(), /Restart the server/)
  const metrics = () => fetch(`${first.address}/metrics`)
  const report = () => owner.send('GET', `/chatbot/${chatbot}/usage/days`)
  assert.equal((await metrics()).status, 200)
  writeFileSync(join(copy, 'end'), '')
  // The search thread reads the first, the report thread the second.
  for (const read of [metrics, report]) {
    const refused = await until(async () => {
      const response = await read()
      return response.status === 503 ? response.text() : undefined
    }, 10_000)
    assert.match(refused, /Restart the server/)
  }
  // The log is written up to a second later.
  await until(async () => /files of Docent were replaced/.test(first.output()) || undefined)

  for (const name of ['widget.js', 'visitor.html'])
    writeFileSync(join(pages, name), 'of the new version')
  for (const path of ['/widget.js', `/c/${chatbot}`])
    assert.doesNotMatch(await (await fetch(first.address + path)).text(), /of the new version/)
  assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).status, 200)
})

/** Makes the reading threads exit once the file `end` exists, as if they could not open a file. */
function endReadersWhenTold(copy: string): void {
  appendFileSync(
    join(copy, 'apps/server/src/database/sqlite/sqlite-worker.ts'),
    `import { existsSync } from 'node:fs'
    const told = ${JSON.stringify(join(copy, 'end'))}
    if (readOnly) setInterval(() => existsSync(told) && process.exit(), 20)\n`,
  )
}
