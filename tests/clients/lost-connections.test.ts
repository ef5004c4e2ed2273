import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCampaign } from '../campaigns/cut-campaign.ts'

test('over connections that break at random places no answer is short and none is doubled', async (t) => {
  const seed = Math.floor(Math.random() * 1_000_000)
  t.diagnostic(`seed ${seed}`)
  const result = await runCampaign(t, 60, seed)
  t.diagnostic(JSON.stringify(result))
  assert.equal(result.answers, 60)
  assert.ok(result.cutBeforeTheAnswer > 0 && result.cutInTheAnswer > 0)
})
