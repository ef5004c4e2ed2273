import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { analyzeText } from '@docent/text/analyze-text.ts'
import { sql } from 'kysely'
import { Client, startTestServer, temporaryFolder, until } from '../../test/harness.ts'
import { makeDatabase } from '../../test/test-database.ts'
import { readConfig } from '../config.ts'
import { type Database, runAtomically } from '../database/database.ts'
import { startServer } from '../main.ts'
import { passageIndex } from './index/choose-index.ts'
import { analyzeSome } from './reanalyze-passages.ts'

suite('words without their accents', () => {
  const SAME = [
    ['Tiramisù', 'tiramisu'],
    ['Öffnungszeiten', 'offnungszeiten'],
    ['garantía', 'garantia'],
    ['Straße', 'strasse'],
    ['œuvre', 'oeuvre'],
    ['2ème étage', '2eme etage'],
    ['giờ mở cửa', 'gio mo cua'],
    ['ώρες', 'ΩΡΕΣ'],
  ] as const
  for (const [written, typed] of SAME) {
    test(`“${written}” is found by “${typed}”`, () => {
      assert.deepEqual(analyzeText(written), analyzeText(typed))
    })
  }

  test('signs that make another letter stay: й is no и, が no か', () => {
    assert.notDeepEqual(analyzeText('йод'), analyzeText('иод'))
    assert.notDeepEqual(analyzeText('がく'), analyzeText('かく'))
  })

  test('a question typed without accents is answered', async () => {
    const { owner } = await startTestServer({ after })
    const chatbot = await owner.createChatbot({ show_citations: true })
    const text =
      'El sábado abrimos de 10 a 14 horas.\n\nEl autobús número 7 para delante de la puerta.'
    const { uuid } = (await (await owner.upload(chatbot, 'horario.txt', text)).json()) as {
      uuid: string
    }
    await owner.settled(uuid)
    const search = { query: 'autobus numero' }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/search`, search)
    assert.match(body[0].text, /autobús número 7/)
    const session = await owner.createSession(chatbot)
    assert.match(await (await owner.ask(session, '¿cuando abren el sabado?')).text(), /10 a 14/)
  })
})

test('passages of an older analysis are analyzed anew when the server starts', async (t) => {
  const store = { DATA_DIR: temporaryFolder(t), ...(await makeDatabase(t)) }
  const config = readConfig({ ...store, PORT: '0', LOG_LEVEL: 'silent' })
  const before = await startServer(config)
  const owner = new Client(before.address, before.firstToken!)
  const chatbot = await owner.createChatbot()
  const texts = Array.from(
    { length: 40 },
    (_, i) => `Die Tür ${i} ist geöffnet. Das Café hat ${i} Plätze.`,
  )
  for (const [i, text] of texts.entries()) {
    const { uuid } = (await (await owner.upload(chatbot, `${i}.txt`, text)).json()) as {
      uuid: string
    }
    await owner.settled(uuid)
  }
  const search = (client = owner) =>
    client.json('POST', `/chatbot/${chatbot}/search`, { query: 'cafe 7' })
  const fresh = { found: (await search()).body, counts: await countsOf(before.services.db) }

  await makeOld(before.services.db)
  assert.notDeepEqual(await countsOf(before.services.db), fresh.counts)
  await before.stop(0)

  const server = await startServer(config)
  t.after(() => server.stop(0))
  const { db } = server.services
  await until(async () => ((await countOld(db)) === 0 ? true : undefined))
  assert.deepEqual(await countsOf(db), fresh.counts)
  const client = new Client(server.address, owner.token)
  assert.deepEqual((await search(client)).body, fresh.found)
  assert.equal(await analyzeSome(db), 0)
})

/** As if an older analysis had kept accents and split nothing. */
async function makeOld(db: Database): Promise<void> {
  const passages = await db.selectFrom('passages').select(['id', 'text']).execute()
  const words = (text: string) => `\n${text.toLowerCase().replaceAll(/[^\p{L}\d ]/gu, '')}`
  const old = passages.map(({ id, text }) => ({ id, words: words(text) }))
  const forget = () => db.updateTable('passages').set({ analysis: 0 }).execute()
  await forget()
  await runAtomically(db, passageIndex(db).rewriteWords(db, old))
  await forget()
}

async function countOld(db: Database): Promise<number> {
  const { old } = await db
    .selectFrom('passages')
    .select((eb) => eb.fn.countAll<number>().as('old'))
    .where('analysis', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(old)
}

/** Counts the passages, their length, and the passages that contain each word. */
async function countsOf(db: Database) {
  const [chatbot] = await db.selectFrom('passage_counts').selectAll().execute()
  const words = ['cafe', 'café', 'tur', 'tür', 'geoffnet', 'platz', 'plätze', 'das']
  const index = passageIndex(db)
  const statistics = await index.readStatistics(db, chatbot!.chatbot_id, words)
  const { rows } = await sql`SELECT id, words FROM passages ORDER BY id`.execute(db)
  return { chatbot, statistics, rows }
}
