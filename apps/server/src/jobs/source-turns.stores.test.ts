import assert from 'node:assert/strict'
import { beforeEach, describe, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/harness.ts'
import { openTestDatabase } from '../../test/test-database.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/rows/ids.ts'
import { createUser } from '../features/accounts/users.store.ts'
import {
  createChatbot,
  deleteChatbot,
  getOwnedChatbot,
} from '../features/chatbots/chatbots.store.ts'
import { createSource, type Source } from '../features/sources/sources.store.ts'
import { SourceTurns } from './source-turns.ts'

describe('those who take sources', () => {
  let db: Database
  let addLink: () => Promise<Source>

  beforeEach(async (t) => {
    db = (await openTestDatabase(t as TestContext, temporaryFolder(t as TestContext))).db
    const user = await createUser(db, 'somebody')
    const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
    const meta = { url: 'http://example.org/' }
    addLink = () => createSource(db, chatbot, { type: 'link', title: 'l', meta })
  })

  async function addTried(claim_id: string | null, due_at: number): Promise<string> {
    const { id } = await addLink()
    const change = { attempts: 1, claim_id, due_at }
    await db.updateTable('sources').set(change).where('id', '=', id).execute()
    return id
  }
  /** A source whose worker died. */
  const addSuspect = () => addTried(newId(), 1)

  test('leave what a server may have died of to whoever may take it', async () => {
    const suspect = await addSuspect()
    const turns = new SourceTurns(1)
    const [file, any] = await Promise.all([turns.take(db, 'given'), turns.take(db, undefined)])
    assert.deepEqual([file, any?.id], [undefined, suspect])
  })

  test('take such one at a time, whatever else is done meanwhile', async () => {
    const suspects = [await addSuspect(), await addSuspect()]
    const failed = await addTried(null, 2)
    const turns = new SourceTurns(4)
    const suspect = (await turns.take(db, undefined))!
    const other = (await turns.take(db, undefined))!
    assert.deepEqual([suspects.includes(suspect.id), other.id], [true, failed])
    assert.equal(await turns.take(db, undefined), undefined)
    turns.done(other, undefined)
    assert.equal(await turns.take(db, undefined), undefined)
    turns.done(suspect, undefined)
    const next = await turns.take(db, undefined)
    assert.deepEqual(new Set([suspect.id, next?.id]), new Set(suspects))
  })

  test('give an owner no more than half of the places while another owner has sources due', async () => {
    const user = await createUser(db, 'greedy')
    const greedy = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
    const meta = { question: 'q', answer: 'a' }
    for (let i = 0; i < 5; i++) await createSource(db, greedy, { type: 'qa', title: 'q', meta })
    const turns = new SourceTurns(4)
    for (let i = 0; i < 3; i++) assert.ok(await turns.take(db, undefined))
    await addLink()
    await addLink()
    const link = await turns.take(db, undefined)
    assert.notEqual(link?.owner_id, user.id)

    assert.equal(await turns.take(db, 'given'), undefined, 'it would be the fourth of six')
    await db.deleteFrom('sources').where('type', '=', 'link').execute()
    const source = await turns.take(db, 'given')
    assert.equal(source?.owner_id, user.id, 'nobody else waits')
  })

  test('let an owner have more while all that another owner has due is in a chatbot that is being deleted', async () => {
    const user = await createUser(db, 'greedy')
    const greedy = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
    const meta = { question: 'q', answer: 'a' }
    for (let i = 0; i < 4; i++) await createSource(db, greedy, { type: 'qa', title: 'q', meta })
    const turns = new SourceTurns(4)
    for (let i = 0; i < 3; i++) assert.ok(await turns.take(db, undefined))
    const waiting = await addLink()
    assert.equal(await turns.take(db, 'given'), undefined, 'another owner waits')
    const chatbot = await getOwnedChatbot(db, waiting.owner_id, waiting.chatbot_id)
    assert.ok(await deleteChatbot(db, chatbot))
    assert.equal((await turns.take(db, 'given'))?.owner_id, user.id)
  })

  test('leave the place for newcomers free while there is another', async () => {
    await addLink()
    const turns = new SourceTurns(1)
    assert.equal(await turns.take(db, 'newcomers'), undefined)
    assert.ok(await turns.take(db, undefined))
    assert.equal(await turns.take(db, 'newcomers'), undefined, 'whoever has one in work is none')
    const other = await createUser(db, 'another')
    const chatbot = await createChatbot(db, other.id, { name: 'Bot', settings: {} })
    await createSource(db, chatbot, {
      type: 'qa',
      title: 'q',
      meta: { question: 'q', answer: 'a' },
    })
    assert.ok(await turns.take(db, 'newcomers'))
  })
})
