import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { attemptConfined } from '../../../test/confined/attempt-confined.ts'
import { forkConfined } from './fork-confined.ts'
import { DocumentReader } from './read-document.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const utf8 = (text: string) => Buffer.from(text)
// Takes half a minute: each table passes its text on to the table around it.
const ENDLESS = { bytes: utf8('<table><tr><td>a'.repeat(200_000)), kind: 'html' as const }
const SHORT = { bytes: utf8('hello'), kind: 'text' as const }

/** A PDF whose page list names the same empty page many times. */
function pdfOfEmptyPages(references: number): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(references)}] /Count ${references} >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>',
  ]
  let file = '%PDF-1.7\n'
  const places = objects.map((object, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 4\n0000000000 65535 f \n${places.join('')}`
  const trailer = `trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return utf8(file + table + trailer)
}

function readerFor(t: TestContext, limits = {}): DocumentReader {
  const documents = DocumentReader.open(limits)
  t.after(() => documents.close())
  return documents
}

describe('documents are read in processes of their own', () => {
  test('tokens are counted, also of a text without any space', async (t) => {
    const documents = readerFor(t)
    const countTokens = async (text: string) =>
      (await documents.read({ bytes: utf8(text), kind: 'text' })).tokens
    assert.equal(await countTokens('Hello world'), 2)
    assert.ok((await countTokens('It ends with <|endoftext|>.')) > 4)
    const tokens = await countTokens('ACGT'.repeat(100_000))
    assert.ok(tokens > 100_000 && tokens < 400_000)
  })

  test('one that keeps its process busy for too long is given up, and the next ones are read', async (t) => {
    const documents = readerFor(t, { stallTimeoutMs: 3_000 })
    const [first, second, next] = await Promise.allSettled([
      documents.extract(ENDLESS),
      documents.extract(ENDLESS),
      documents.extract(SHORT),
    ])
    for (const hostile of [first, second]) {
      assert.equal(hostile.status, 'rejected')
      assert.equal(hostile.reason.status, 'fail')
      assert.match(hostile.reason.message, /takes too long/)
    }
    assert.equal(next.status, 'fulfilled')
    assert.equal(next.value.text, 'hello')
  })

  test('one that goes on and on without any text is given up, however lively it is', async (t) => {
    const documents = readerFor(t, { noTextTimeoutMs: 8_000 })
    const bytes = pdfOfEmptyPages(200_000)
    // As many as an owner may have processes, so that the next file waits for them.
    const one = documents.of('one')
    const results = await Promise.allSettled([
      ...[0, 1].map(() => one.read({ bytes, kind: 'pdf' })),
      one.read(SHORT),
    ])
    for (const hostile of results.slice(0, 2)) {
      assert.equal(hostile.status, 'rejected')
      assert.equal(hostile.reason.status, 'fail')
      assert.match(hostile.reason.message, /takes too long/)
    }
    assert.equal(results[2]!.status, 'fulfilled')
  })

  test('one heavy document does not hold another up', async (t) => {
    const documents = readerFor(t)
    const heavy = documents.extract(ENDLESS)
    heavy.catch(() => {})
    assert.equal((await documents.extract(SHORT)).text, 'hello')
    await documents.close()
    await assert.rejects(heavy, /stopping/)
  })

  test('those of one owner do not hold up those of another', async (t) => {
    const documents = readerFor(t)
    const heavy = Array.from({ length: 4 }, () => documents.of('one').extract(ENDLESS))
    let isOver = false
    for (const one of heavy) one.finally(() => (isOver = true)).catch(() => {})
    for (let i = 0; i < 3; i++)
      assert.equal((await documents.of('another').extract(SHORT)).text, 'hello')
    assert.equal(isOver, false)
    await documents.close()
    for (const { status } of await Promise.allSettled(heavy)) assert.equal(status, 'rejected')
  })

  test('one that needs too much memory is given up', async (t) => {
    const documents = readerFor(t, { memoryMb: 20 })
    await assert.rejects(documents.extract(ENDLESS), /too much memory/)
  })

  test('one that bursts into more text than a library holds is refused', async (t) => {
    const documents = readerFor(t)
    const bytes = Buffer.alloc(26_000_000, 'a')
    await assert.rejects(documents.extract({ bytes, kind: 'text' }), /25 million characters/)
  })

  test('a process that is idle is ended, and another one started when needed', async (t) => {
    const documents = readerFor(t, { idleMs: 1 })
    for (let i = 0; i < 3; i++) {
      assert.equal((await documents.extract(SHORT)).text, 'hello')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })

  test('closing ends what is being read and refuses what comes after', async () => {
    const documents = DocumentReader.open()
    const reading = Promise.allSettled(Array.from({ length: 4 }, () => documents.extract(ENDLESS)))
    await documents.close()
    for (const { status } of await reading) assert.equal(status, 'rejected')
    await assert.rejects(documents.extract(ENDLESS), /stopping/)
  })
})

test('where documents are read, there are no other files, no processes and no network', async (t) => {
  const script = join(import.meta.dirname, '../../../test/confined/confined-attempts.ts')
  assert.deepEqual(await attemptConfined(t, forkConfined, script, ROOT), [])
})
