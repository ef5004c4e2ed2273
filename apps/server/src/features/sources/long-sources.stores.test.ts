import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { childrenRunning } from '../../../test/child-processes.ts'
import { makePdf } from '../../../test/files/make-pdf.ts'
import {
  NO_MEANING,
  openIndex,
  startTestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import { openTestDatabase } from '../../../test/test-database.ts'
import { PackedText } from '../../database/rows/packed-text.ts'
import { claimSource } from '../../jobs/claim-source.ts'
import { findPassages } from '../../search/find-passages.ts'
import { forgetHidden } from '../../search/hidden-builds.ts'
import { replacePassages } from '../../search/write-passages.ts'
import { createUser } from '../accounts/users.store.ts'
import { createChatbot } from '../chatbots/chatbots.store.ts'
import { createSource, metaOf, type Source } from './sources.store.ts'

const { owner, services } = await startTestServer({ after }, { environment: NO_MEANING })

async function upload(name: string, content: string | Uint8Array<ArrayBuffer>) {
  const chatbot = await owner.createChatbot()
  const response = await owner.upload(chatbot, name, content)
  return { chatbot, source: ((await response.json()) as { uuid: string }).uuid }
}

/** A search returns adjacent passages as a single result. */
function countParts(found: FoundPassage[]): number {
  return found.reduce((sum, { count }) => sum + count, 0)
}

describe('a long source', () => {
  test('is written in many steps while it is found whole or not at all', async () => {
    const paragraphs = Array.from({ length: 400 }, (_, i) => `Gazebo number ${i}. `.repeat(30))
    const { chatbot, source } = await upload('gazebos.txt', paragraphs.join('\n\n'))
    const counts = new Set<number>()
    const isSeen = async () => {
      const found = await findPassages(services, { id: chatbot, owner_id: '' }, 'gazebo number')
      counts.add(countParts(found))
      return found.length > 0 ? true : undefined
    }
    await until(isSeen, 120_000)
    const { body } = await owner.json('GET', `/data-source/${source}`)
    assert.equal(body.status, 'success')
    assert.deepEqual([...counts].sort(), [0, 20])
    const { rows } = await services.db
      .selectFrom('passages')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('source_id', '=', source)
      .executeTakeFirstOrThrow()
    assert.equal(rows, 400)
  })

  test('shows how many of its pages have been read', async () => {
    const page = Array.from({ length: 60 }, (_, i) => [50, 780 - i * 12, `Line ${i} of it`])
    const { source } = await upload('long.pdf', makePdf(Array(1500).fill(page)))
    const progress = await until(async () => {
      const { body } = await owner.json('GET', `/data-source/${source}`)
      return JSON.parse(body.meta_json).progress
    })
    assert.equal(progress.of, 'pages')
    assert.equal(progress.found, 1500)
    assert.ok(progress.done > 0 && progress.done <= 1500)
    assert.equal(progress.percent, Math.floor(progress.done / 15))
    await owner.json('POST', `/data-source/${source}/delete`)
  })

  test('that is deleted is not read to its end', async () => {
    const endless = '<b>'.repeat(1_000_000)
    const { source } = await upload('endless.html', `<html>${endless}`)
    const readers = () => childrenRunning(process.pid, 'document-worker')
    await until(async () => {
      const { body } = await owner.json('GET', `/data-source/${source}`)
      return body.status === 'extracting' && readers().length > 0 ? true : undefined
    })
    const before = readers()
    await owner.json('POST', `/data-source/${source}/delete`)
    await until(() => (before.some((pid) => !readers().includes(pid)) ? true : undefined))
  })
})

describe('a source that is lost while it is written', () => {
  async function openDatabase(t: TestContext) {
    const { db, searchDb } = await openTestDatabase(t, temporaryFolder(t))
    const user = await createUser(db, 'a')
    const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
    const meta = { question: 'q', answer: 'a' }
    const index = await openIndex(t, db)
    await createSource(db, chatbot, { type: 'qa', title: 'q', meta })
    return {
      /** Counts the passages found that contain the word. */
      find: async (word: string) => {
        const found = await findPassages(
          { ...index, searchDb, searches: services.searches, log: services.log },
          chatbot,
          word,
        )
        return countParts(found.filter(({ text }) => text.startsWith(word)))
      },
      countPassages: async () => (await db.selectFrom('passages').select('id').execute()).length,
      write: (claimed: Source, word: string, count: number) => {
        const text = Array.from({ length: count }, (_, i) => `${word} ${i} `.padEnd(12)).join('')
        const passages = Array.from({ length: count }, (_, i) => {
          return { start: i * 12, end: i * 12 + 12, lead: '', words: `\n${word} ${i}` }
        })
        const size = { title: 't', fileSize: 1, tokens: 1 }
        return replacePassages(index, claimed, {
          ...size,
          text: PackedText.of(text),
          hash: word,
          passages,
          meta,
        })
      },
      claim: async () => {
        await db.updateTable('sources').set({ due_at: 0 }).execute()
        return (await claimSource(db))!
      },
      /** Loses the lease once `count` passages are written. */
      loseAfter: async (count: number) => {
        const rows = () => db.selectFrom('passages').select('id').limit(count).execute()
        await until(async () => (await rows()).length === count || undefined)
        await db.updateTable('sources').set({ claim_id: null }).execute()
      },
      forget: () => forgetHidden(db),
      progress: async () => {
        const source = await db.selectFrom('sources').selectAll().executeTakeFirstOrThrow()
        return metaOf(source).progress
      },
    }
  }

  test('goes on answering with what it had, and what was begun is forgotten', async (t) => {
    const { find, countPassages, write, claim, loseAfter, forget, progress } = await openDatabase(t)
    assert.equal(await write(await claim(), 'old', 3), true)
    const claimed = await claim()
    // The lease is lost between two steps.
    const [isWritten] = await Promise.all([write(claimed, 'new', 2000), loseAfter(4)])
    assert.equal(isWritten, false)
    const halfWritten = await countPassages()
    assert.ok(halfWritten > 3 && halfWritten < 2000, String(halfWritten))
    const done = halfWritten - 3
    const percent = Math.floor(done / 20)
    assert.deepEqual(await progress(), { percent, done, found: 2000, of: 'passages' })
    assert.equal(await find('new'), 0)
    assert.equal(await find('old'), 3)

    await forget()
    assert.equal(await countPassages(), 3)
    assert.equal(await find('old'), 3)
  })

  test('can be written again, also when a crash left half of it behind', async (t) => {
    const { find, countPassages, write, claim, loseAfter } = await openDatabase(t)
    const claimed = await claim()
    await Promise.all([write(claimed, 'old', 2000), loseAfter(1)])
    assert.ok((await countPassages()) > 0)

    assert.equal(await write(await claim(), 'new', 1000), true)
    assert.equal(await countPassages(), 1000)
    assert.equal(await find('old'), 0)
    assert.equal(await find('new'), 20)
  })

  test('does not take away what another worker is about to complete', async (t) => {
    const { countPassages, write, claim, forget } = await openDatabase(t)
    const writing = write(await claim(), 'new', 1000)
    await forget()
    assert.equal(await writing, true)
    assert.equal(await countPassages(), 1000)
  })
})
