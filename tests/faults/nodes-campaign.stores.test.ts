import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ONLY_POSTGRES } from '@docent/server/test/test-database.ts'
import { runNodesCampaign } from '../campaigns/nodes-campaign.ts'

test('nodes and a database that fail under load lose and double nothing that a client was told', {
  ...ONLY_POSTGRES,
  timeout: 600_000,
}, async (t) => {
  const troubles = ['kill', 'cut', 'database', 'full', 'pause'] as const
  const result = await runNodesCampaign([...troubles], Date.now() % 1_000_000, { pauseMs: 3_000 })
  if (!result) return t.skip('there is no PostgreSQL here that could be killed')
  assert.ok(result.questions > 0 && result.sources > 0, JSON.stringify(result))
})
