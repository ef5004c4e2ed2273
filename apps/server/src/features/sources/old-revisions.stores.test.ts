import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { page, startCrawling } from '../../../test/crawling.ts'
import { NO_MEANING, temporaryFolder, until } from '../../../test/harness.ts'
import { ONLY_SQLITE } from '../../../test/test-database.ts'
import { runAtomically } from '../../database/database.ts'
import { openFile } from '../../database/open-database.ts'
import { PIECE_CHARACTERS } from '../../database/rows/packed-text.ts'
import { compareStores, copyStore } from '../../keeping/copy-store.ts'
import { forgetOldTexts } from '../../worker.ts'
import { claimAnswer, releaseAnswer } from '../messages/running-answers.store.ts'
import { OldRevisions } from './old-revisions.store.ts'

const NEVER = new AbortController().signal
// Longer than a piece.
const LONG = 'And so it goes. '.repeat(PIECE_CHARACTERS / 10)

function open(until: number): string {
  return page(`Until ${until}`, `The house is open from 9 to ${until}. ${until === 18 ? LONG : ''}`)
}

/** A page whose closing hour changes at each read, beginning with 17. */
async function startChanging(t: TestContext) {
  const crawling = await startCrawling(t, { '/': open(17) }, NO_MEANING)
  const { owner, site, services, read, again } = crawling
  const { uuid } = await read('/')
  const textsOf = async (table: 'revisions' | 'revision_pieces') => {
    const rows = services.db
      .selectFrom(table)
      .select('hash')
      .distinct()
      .where('source_id', '=', uuid)
    return (await rows.execute()).length
  }
  const ask = async () => {
    const session = await owner.createSession(crawling.chatbot)
    const response = await owner.ask(session, 'When is the house open?')
    assert.match(await response.text(), /open from 9 to/)
    return response.headers.get('x-message-uuid')!
  }
  const verified = async (message: string) => {
    const { body } = await owner.json('GET', `/message/${message}/citations/verify`)
    return body.verified as boolean
  }
  const change = async (until: number) => {
    site.pages['/'] = open(until)
    assert.equal((await again(uuid)).status, 'success')
  }
  const old = new OldRevisions(services)
  return {
    ...crawling,
    uuid,
    old,
    texts: () => textsOf('revisions'),
    pieces: () => textsOf('revision_pieces'),
    ask,
    verified,
    change,
  }
}

suite('a text that a source once had', () => {
  test('is forgotten if nothing cites it, at the second look', async (t) => {
    const { old, texts, pieces, ask, verified, change, owner } = await startChanging(t)
    const cites17 = await ask()
    await change(18)
    await change(19)
    assert.deepEqual([await texts(), await pieces()], [3, 1])
    assert.equal(await old.look(NEVER), 0)
    assert.deepEqual([await texts(), await pieces()], [3, 1])
    assert.equal(await old.look(NEVER), 1)
    assert.deepEqual([await texts(), await pieces()], [2, 0])
    assert.equal(await verified(cites17), true)
    assert.equal(await verified(await ask()), true)

    // A revision is of no use after its answer is deleted.
    await owner.json('POST', `/message/${cites17}/delete`)
    assert.equal(await old.look(NEVER), 1)
    assert.equal(await texts(), 1)
    assert.equal(await old.look(NEVER), 0)
  })

  test('stays if the source has it again, and if an answer has cited it then', async (t) => {
    const { old, texts, ask, verified, change } = await startChanging(t)
    await change(18)
    await old.look(NEVER)
    await change(17)
    assert.equal(await old.look(NEVER), 0)
    const cites17 = await ask()
    await change(19)
    assert.equal(await old.look(NEVER), 1)
    assert.equal(await old.look(NEVER), 0)
    assert.equal(await texts(), 2)
    assert.equal(await verified(cites17), true)
  })

  test('stays while the source is read, which may find it again', async (t) => {
    const { old, texts, change, services, uuid } = await startChanging(t)
    await change(18)
    await old.look(NEVER)
    const claim = (claim_id: string | null) =>
      services.db.updateTable('sources').set({ claim_id }).where('id', '=', uuid).execute()
    await claim('somebody')
    assert.equal(await old.look(NEVER), 0)
    assert.equal(await texts(), 2)
    await claim(null)
    assert.equal(await old.look(NEVER), 1)
  })

  test('stays if it is that of another page of its site, or of another source', async (t) => {
    const same = page('Hours', 'The house is open from 9 to 17.')
    const pages = { '/': page('Start', 'Welcome.', '/a', '/b'), '/a': same, '/b': same }
    const { site, crawl, again, services, ask } = await startCrawling(t, pages, NO_MEANING)
    const first = await crawl()
    const second = await crawl()
    site.pages['/a'] = page('Hours', 'The shop has moved.')
    assert.equal((await again(first.uuid)).status, 'success')
    const old = new OldRevisions(services)
    await old.look(NEVER)
    assert.equal(await old.look(NEVER), 0)
    const kept = services.db
      .selectFrom('revisions')
      .select('source_id')
      .where('hash', '=', hash('sha256', 'The house is open from 9 to 17.'))
    const sources = (await kept.execute()).map(({ source_id }) => source_id)
    assert.deepEqual(sources.toSorted(), [first.uuid, second.uuid].toSorted())
    assert.match((await ask('When is the house open?')).text, /from 9 to 17/)
  })

  test('waits for the answers that are on their way, which may cite it', async (t) => {
    const { old, texts, ask, verified, change, services } = await startChanging(t)
    const cites17 = await ask()
    await change(18)
    await old.look(NEVER)
    const { meta } = await services.db
      .selectFrom('messages')
      .select('meta')
      .where('id', '=', cites17)
      .executeTakeFirstOrThrow()
    const { db, node } = services
    const write = (outcome: { finish_reason: string; meta: string }) =>
      db
        .updateTable('messages')
        .set(outcome as { finish_reason: 'stop'; meta: string })
        .where('id', '=', cites17)
        .execute()
    await write({ finish_reason: '', meta: '{}' })
    if (node) await runAtomically(db, [claimAnswer(db, cites17, node.id)])
    let isDone = false
    const looking = old.look(NEVER).finally(() => {
      isDone = true
    })
    await sleep(1_500)
    assert.equal(isDone, false)
    await write({ finish_reason: 'stop', meta })
    if (node) await runAtomically(db, [releaseAnswer(db, cites17, node.id)])
    assert.equal(await looking, 0)
    assert.equal(await texts(), 2)
    assert.equal(await verified(cites17), true)
  })

  test(
    'is found by few passes over its source, however many texts there are',
    ONLY_SQLITE,
    async (t) => {
      const { old, services, chatbot, uuid } = await startChanging(t)
      const many = (count: number) => sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
      await sql`
      INSERT INTO revisions (source_id, hash, text, created_at)
      ${many(4_000)} SELECT ${uuid}, 'text ' || n, '', 0 FROM numbers`.execute(services.db)
      await sql`
      INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
      ${many(20_000)} SELECT ${chatbot}, ${uuid}, 'text ' || (n % 2000), 'another', n, 0, 0, '', '' FROM numbers
    `.execute(services.db)
      const timed = async (work: () => Promise<unknown>) => {
        const start = performance.now()
        await work()
        return performance.now() - start
      }
      const pass = await timed(() =>
        sql`SELECT max(revision) FROM passages WHERE source_id = ${uuid}`.execute(
          services.searchDb,
        ),
      )
      const look = await timed(() => old.look(NEVER))
      assert.ok(look < 50 * pass, `${look} ms, after ${pass} ms for a pass`)
    },
  )

  test('is looked for again and again by the server, until it stops', async (t) => {
    const { texts, change, services } = await startChanging(t)
    const stopping = new AbortController()
    const looking = forgetOldTexts(services, stopping.signal, 50)
    for (const hour of [18, 19]) {
      await change(hour)
      await until(async () => (await texts()) === 1 || undefined)
    }
    stopping.abort()
    await looking
  })

  test('and has again is another one to whoever copies the store', async (t) => {
    const { old, change, services } = await startChanging(t)
    const { db, close } = await openFile(join(temporaryFolder(t), 'copy.db'))
    t.after(close)
    await change(18)
    await copyStore(services.db, db)
    await old.look(NEVER)
    assert.equal(await old.look(NEVER), 1)
    await change(17)
    await copyStore(services.db, db)
    await compareStores(services.db, db)
  })
})
