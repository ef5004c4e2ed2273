import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { Client, startSite, temporaryFolder, until } from '@docent/server/test/harness.ts'
import { serve } from '@docent/server/test/run-docent.ts'
import { makeDatabase, ONLY_SQLITE, TEST_SERVER } from '@docent/server/test/test-database.ts'
import { runCampaign } from '../campaigns/kill-campaign.ts'

test('a server killed again and again at random moments loses nothing that a client was told', async (t) => {
  // On PostgreSQL, other nodes notice a killed node only when its lease expires.
  const kills = TEST_SERVER ? 2 : 6
  const result = await runCampaign(kills, Date.now() % 1_000_000, { store: await makeDatabase(t) })
  assert.equal(result.kills, kills)
  assert.ok(
    result.questions > 0 && result.interrupted > 0 && result.bytesRead > 0,
    JSON.stringify(result),
  )
})

const PAGE = '<title>Hours</title><p>The museum is open daily from nine to five.</p>'

/** Starts a server that can be killed and restarted, and adds each page as a source. */
async function startKillable(t: TestContext, paths: string[]) {
  const pages = { isQuick: false, asked: 0, deadly: '' }
  const site = await startSite(t, (request, response) => {
    pages.asked += 1
    const isDeadly = request.url === pages.deadly
    if (isDeadly) child.process.kill('SIGKILL')
    else if (pages.isQuick) response.setHeader('content-type', 'text/html').end(PAGE)
  })
  const folder = join(temporaryFolder(t), 'data')
  const start = () => serve(folder, { ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
  let child = await start()
  t.after(() => child.process.kill('SIGKILL'))
  const { token } = child
  const client = () => new Client(child.address, token!)
  const chatbot = await client().createChatbot()
  const sources: string[] = []
  for (const path of paths) {
    const url = site + path
    const { body } = await client().json('POST', `/chatbot/${chatbot}/data-source/url`, { url })
    sources.push(body.uuid)
  }
  const startAgain = async () => {
    await child.end('SIGKILL')
    pages.asked = 0
    child = await start()
  }
  const outcomes = () =>
    Promise.all(sources.map(async (uuid) => (await client().settled(uuid)).status))
  const hasEnded = () => child.process.signalCode !== null
  return { pages, client, startAgain, outcomes, hasEnded }
}

suite('of sources that are in work when the server dies', ONLY_SQLITE, () => {
  test('none has to answer for it that it dies again and again', async (t) => {
    const paths = ['/a', '/b', '/c', '/d', '/e']
    const { pages, startAgain, outcomes } = await startKillable(t, paths)
    for (let i = 0; i < 6; i++) {
      await until(() => (pages.asked > 0 ? true : undefined))
      await startAgain()
    }
    pages.isQuick = true
    assert.deepEqual(new Set(await outcomes()), new Set(['success']))
  })

  test('only that is given up which it dies of each time', async (t) => {
    const { pages, startAgain, outcomes, hasEnded } = await startKillable(t, ['/a', '/b', '/c'])
    await until(() => (pages.asked > 2 ? true : undefined))
    pages.deadly = '/b'
    let deaths = 0
    await startAgain()
    pages.isQuick = true
    for (;;) {
      const ended = until(() => (hasEnded() ? 'ended' : undefined), 60_000)
      const result = await Promise.race([ended, outcomes().catch(() => ended)])
      if (result !== 'ended') {
        ended.catch(() => {})
        assert.deepEqual(result, ['success', 'fail', 'success'])
        break
      }
      deaths += 1
      await startAgain()
    }
    assert.equal(deaths, 2, 'it was in work when the server was killed the first time, too')
  })
})
