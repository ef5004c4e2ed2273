import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCampaign } from './kill-campaign.ts'
import { makeDatabase, TEST_SERVER } from './test-database.ts'

test('a server killed again and again at random moments loses nothing that a client was told', async (t) => {
  // On PostgreSQL a killed node is missed only when its lease has run out.
  const kills = TEST_SERVER ? 2 : 6
  const result = await runCampaign(kills, Date.now() % 1_000_000, { store: await makeDatabase(t) })
  assert.equal(result.kills, kills)
  assert.ok(
    result.questions > 0 && result.interrupted > 0 && result.bytesRead > 0,
    JSON.stringify(result),
  )
})
