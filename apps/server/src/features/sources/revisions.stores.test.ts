import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { NO_MEANING, startTestServer } from '../../../test/harness.ts'
import {
  PackedText,
  PIECE_CHARACTERS,
  packText,
  unpackText,
} from '../../database/rows/packed-text.ts'

const { owner, services } = await startTestServer({ after }, { environment: NO_MEANING })

const text = Array.from({ length: 160 }, (_, i) =>
  `Hall ${i} has \u{1F3DB} and 漢字 in it, and so it goes. `.repeat(15).trim(),
).join('\n\n')

async function upload(content: string, name = 'halls.txt') {
  const chatbot = await owner.createChatbot({ show_citations: true })
  const response = await owner.upload(chatbot, name, content)
  const source = ((await response.json()) as { uuid: string }).uuid
  assert.equal((await owner.settled(source)).status, 'success')
  return { chatbot, source }
}

async function readAgain(source: string) {
  const { status } = await owner.json('POST', `/data-source/${source}/retry`)
  assert.equal(status, 200)
  assert.equal((await owner.settled(source)).status, 'success')
}

function piecesOf(source: string) {
  return services.db
    .selectFrom('revision_pieces')
    .select(['hash', 'starts_at', 'packed'])
    .where('source_id', '=', source)
    .orderBy('starts_at')
    .execute()
}

function rowsOf(source: string) {
  return services.db.selectFrom('revisions').selectAll().where('source_id', '=', source).execute()
}

function excerpt(source: string, start: number, end: number, revision = hash('sha256', text)) {
  const range = `revision=${revision}&start=${start}&end=${end}`
  return owner.json('GET', `/data-source/${source}/excerpt?${range}`)
}

async function assertEveryRangeIsThere(source: string) {
  for (const start of [0, 700, PIECE_CHARACTERS - 1000, PIECE_CHARACTERS - 5, PIECE_CHARACTERS]) {
    for (const length of [0, 1, 12, 3000, PIECE_CHARACTERS]) {
      const { body } = await excerpt(source, start, start + length)
      assert.deepEqual(body, {
        before: text.slice(Math.max(0, start - 1500), start).toWellFormed(),
        text: text.slice(start, start + length).toWellFormed(),
        after: text.slice(start + length, start + length + 1500).toWellFormed(),
      })
    }
  }
  const far = await excerpt(source, text.length + 5, 999_999_999_999_999)
  assert.equal(far.status, 200)
  assert.equal(far.body.text, '')
  const all = await excerpt(source, 0, 999_999_999_999_999)
  assert.equal(all.body.text, text)
}

suite('the text of a long source', () => {
  test('is kept in pieces, which are exactly the text that its hash says', async () => {
    const { source } = await upload(text)
    const [row, ...others] = await rowsOf(source)
    assert.deepEqual(others, [])
    assert.equal(row!.hash, hash('sha256', text))
    assert.equal(row!.text, '')
    const pieces = await piecesOf(source)
    assert.equal(pieces.length, Math.ceil(text.length / PIECE_CHARACTERS))
    let end = 0
    for (const { starts_at, packed } of pieces) {
      assert.equal(starts_at, end)
      end += unpackText(packed).length
    }
    assert.equal(pieces.map(({ packed }) => unpackText(packed)).join(''), text)
    await assertEveryRangeIsThere(source)
    const passages = (await owner.json('GET', `/data-source/${source}/passages`)).body
    assert.ok(passages.length > 64)
    for (const passage of passages)
      assert.equal(passage.text, text.slice(passage.start, passage.end))
  })

  test('is stored once, however often it is read', async () => {
    const { source } = await upload(text)
    const before = [await rowsOf(source), await piecesOf(source)]
    await readAgain(source)
    assert.deepEqual([await rowsOf(source), await piecesOf(source)], before)
  })

  test('gives receipts that verify, until somebody changes a piece', async () => {
    const { chatbot, source } = await upload(`${text}\n\nThe gazebo is painted turquoise.`)
    const session = await owner.createSession(chatbot)
    const response = await owner.ask(session, 'What colour is the gazebo?')
    assert.match(await response.text(), /^The gazebo is painted turquoise\. \[1\.1\]/)
    const path = `/message/${response.headers.get('x-message-uuid')}/citations/verify`
    assert.equal((await owner.json('GET', path)).body.verified, true)

    const [last] = (await piecesOf(source)).slice(-1)
    const changed = unpackText(last!.packed).replace('turquoise', 'turquoisE')
    const { packed } = packText(changed).next().value!
    await services.db
      .updateTable('revision_pieces')
      .set({ packed })
      .where('source_id', '=', source)
      .where('starts_at', '=', last!.starts_at)
      .execute()
    const { verified, citations } = (await owner.json('GET', path)).body
    assert.equal(verified, false)
    assert.equal(citations[0].reason, 'text differs')
  })

  test('that an earlier version stored whole is read as it is, and not stored again', async () => {
    const { source } = await upload(text)
    await services.db.deleteFrom('revision_pieces').where('source_id', '=', source).execute()
    await services.db
      .updateTable('revisions')
      .set({ text })
      .where('source_id', '=', source)
      .execute()
    await assertEveryRangeIsThere(source)
    await readAgain(source)
    assert.deepEqual(await piecesOf(source), [])
    await assertEveryRangeIsThere(source)
  })

  test('goes with the source', async () => {
    const { source } = await upload(text)
    await owner.json('POST', `/data-source/${source}/delete`)
    assert.deepEqual(await piecesOf(source), [])
    assert.equal((await excerpt(source, 0, 1)).status, 404)
  })
})

test('a short text stands in its row, and an unknown revision is not found', async () => {
  const { source } = await upload('Daily from 9 to 17.', 'hours.txt')
  const [row] = await rowsOf(source)
  assert.equal(row!.text, 'Daily from 9 to 17.')
  assert.deepEqual(await piecesOf(source), [])
  assert.equal((await excerpt(source, 0, 1, 'f'.repeat(64))).status, 404)
})

test('a packed text is cut like the text itself', () => {
  const character = fc.constantFrom('a', 'ß', '漢', '😀', '\u{10ffff}', '\n')
  const long = fc
    .array(character, { minLength: 1, maxLength: 9 })
    .map((some) => some.join('').repeat(30_000))
  const place = fc.nat(300_000)
  fc.assert(
    fc.property(long, fc.array(fc.tuple(place, place), { maxLength: 5 }), (given, ranges) => {
      const packed = PackedText.of(given)
      assert.equal(packed.length, given.length)
      for (const [start, end] of ranges)
        assert.equal(packed.slice(start, end), start < end ? given.slice(start, end) : '')
    }),
    { numRuns: 50 },
  )
})
