import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { startChild } from '@docent/server/test/child-server.ts'
import { Client, temporaryFolder } from '@docent/server/test/harness.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'

// Service files and MCP client settings contain these paths, so they stay for one version.

test('a service file of an earlier version starts this one', async (t) => {
  const settings = { DATA_DIR: temporaryFolder(t), ...(await makeDatabase(t)) }
  const server = await startChild('server/src/cli.ts', settings, ['serve'])
  t.after(() => server.process.kill('SIGKILL'))
  const owner = new Client(server.address, server.token!)
  assert.equal((await owner.json('GET', '/chatbots')).status, 200)
})

test('the launcher of an earlier version is this one', () => {
  const launcher = join(import.meta.dirname, '../../server/bin/docent.mjs')
  const { stdout, status } = spawnSync(process.execPath, [launcher, '--version'], {
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
})
