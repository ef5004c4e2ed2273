import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Client } from '@docent/server/test/harness.ts'
import { docent, serve } from '@docent/server/test/run-docent.ts'
import { ONLY_SQLITE } from '@docent/server/test/test-database.ts'
import { runCampaign } from '../campaigns/kill-campaign.ts'
import { makePowerDisk, NO_POWER_DISK } from './power-disk.ts'

suite('a power cut', ONLY_SQLITE, () => {
  test('again and again at random moments costs nothing that a client was told', async (t) => {
    const disk = makePowerDisk(t, 256)
    if (!disk) return t.skip(NO_POWER_DISK)
    const result = await runCampaign(3, Date.now() % 1_000_000, { disk })
    assert.equal(result.kills, 3)
    assert.ok(result.questions > 0 && result.bytesRead > 0, JSON.stringify(result))
  })

  test('right after a backup or a restore leaves what was written', async (t) => {
    const disk = makePowerDisk(t, 256)
    if (!disk) return t.skip(NO_POWER_DISK)
    const folder = join(disk.folder, 'data')
    const file = join(disk.folder, 'all.gz')
    const listNames = async (token: string) => {
      const child = await serve(folder)
      t.after(() => child.process.kill('SIGKILL'))
      const client = new Client(child.address, token || child.token!)
      if (!token) await client.createChatbot({ name: 'Museum guide' })
      const { body } = await client.json('GET', '/chatbots')
      assert.equal(await child.end('SIGTERM'), 0)
      return { token: client.token, names: body.map(({ name }: { name: string }) => name) }
    }
    const { token } = await listNames('')

    assert.equal((await docent(folder, ['backup', file])).code, 0)
    disk.cut()
    await disk.powerUp()
    const restored = await docent(folder, ['restore', file, '--force'])
    assert.equal(restored.code, 0, restored.stderr)
    disk.cut()
    await disk.powerUp()
    assert.deepEqual((await listNames(token)).names, ['Museum guide'])
    const before = new DatabaseSync(join(folder, 'docent.db.before-restore'), { readOnly: true })
    assert.equal(before.prepare('SELECT name FROM chatbots').get()?.name, 'Museum guide')
    before.close()
  })
})
