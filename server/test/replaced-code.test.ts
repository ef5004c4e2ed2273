import assert from 'node:assert/strict'
import { cpSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { startChild } from './child-server.ts'
import { Client, temporaryFolder, until } from './harness.ts'

const SERVER = join(import.meta.dirname, '..')

test('a server whose files were replaced starts nothing of the new version, and asks for a restart', async (t) => {
  const copy = join(temporaryFolder(t), 'server')
  mkdirSync(copy)
  cpSync(join(SERVER, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(SERVER, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(SERVER, 'models'), join(copy, 'models'))
  symlinkSync(join(SERVER, '../node_modules'), join(copy, '../node_modules'))
  for (const name of ['client', 'console', 'widget', 'guide', 'languages', 'contract', 'docs'])
    symlinkSync(join(SERVER, '..', name), join(copy, '..', name))
  const script = relative(join(SERVER, '..'), join(copy, 'src/cli.ts'))
  const first = await startChild(script, { DATA_DIR: join(copy, 'data') }, ['serve'])
  t.after(() => first.process.kill('SIGKILL'))
  const owner = new Client(first.address, first.token!)
  const chatbot = await owner.createChatbot()

  const later = new Date(Date.now() + 60_000)
  utimesSync(join(copy, 'src/ingestion/perform-task.ts'), later, later)
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
  assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).status, 200)
})
