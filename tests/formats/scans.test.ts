import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { findParserData } from '@docent/bench/evals/measure-parsers.ts'
import { page, startCrawling } from '@docent/server/test/crawling.ts'
import { makeScannedPdf, type Scan } from '@docent/server/test/files/make-pdf.ts'
import { assertEndsWithSource, standIn } from '@docent/server/test/files/stand-in-program.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

// Black in the upper left quarter.
const SCAN: Scan = { width: 600, height: 800, isBlack: (x, y) => x < 300 && y < 400 }
const SAYS_ITS_COUNT = `
cat > "$FOLDER/picture.png"; echo "$@" > "$FOLDER/arguments"
echo x >> "$FOLDER/count"
echo "The gazebo of picture $(grep -c x "$FOLDER/count") opens at nine."`

async function read(
  t: TestContext,
  pdf: Uint8Array<ArrayBuffer>,
  environment: Record<string, string>,
) {
  const { owner, services } = await startTestServer(t, { environment })
  const response = await owner.upload(await owner.createChatbot(), 'scan.pdf', pdf)
  const source = await owner.settled(((await response.json()) as { uuid: string }).uuid)
  const rows = await services.db.selectFrom('passages').select(['text', 'page']).execute()
  const passages = rows.map((row) => ({ ...row }))
  return { ...source, meta: JSON.parse(source.meta_json), passages }
}

/** Returns a function for the shade of a pixel. Reads only unfiltered grayscale PNGs. */
function openPng(file: string) {
  const png = readFileSync(file)
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4))
  return { width, height, at: (x: number, y: number) => rows[y * (width + 1) + 1 + x] }
}

describe('a PDF whose pages are pictures', () => {
  test('has no text where tesseract is not installed or not wanted, and says what to do', async (t) => {
    const { folder } = standIn(t, 'tesseract', SAYS_ITS_COUNT)
    const path = `${folder}:/usr/bin:/bin`
    for (const environment of [{ PATH: '' }, { PATH: path, OCR_LANGUAGES: 'off' }]) {
      const { status, meta } = await read(t, makeScannedPdf([SCAN]), environment)
      assert.equal(status, 'error:no text')
      assert.match(meta.error, /images without text.*OCR.*tesseract/)
    }
  })

  test('is recognised page by page, and cited by its pages', async (t) => {
    const { folder } = standIn(t, 'tesseract', SAYS_ITS_COUNT)
    const pdf = makeScannedPdf([SCAN, 'A page with a text layer.', SCAN])
    const environment = { PATH: `${folder}:/usr/bin:/bin`, OCR_LANGUAGES: 'deu+eng' }
    const { status, passages } = await read(t, pdf, environment)
    assert.equal(status, 'success')
    assert.deepEqual(passages, [
      { text: 'The gazebo of picture 1 opens at nine.', page: 1 },
      { text: 'A page with a text layer.', page: 2 },
      { text: 'The gazebo of picture 2 opens at nine.', page: 3 },
    ])
    assert.match(readFileSync(join(folder, 'arguments'), 'utf8'), /-l deu\+eng --dpi 72$/m)
  })

  test('is recognised on a site, too', async (t) => {
    const { folder } = standIn(t, 'tesseract', SAYS_ITS_COUNT)
    const scan = {
      headers: { 'content-type': 'application/pdf' },
      body: Buffer.from(makeScannedPdf([SCAN])),
    }
    const pages = { '/': page('Home', 'Start.', '/scan.pdf'), '/scan.pdf': scan }
    const { crawl, services } = await startCrawling(t, pages, { PATH: `${folder}:/usr/bin:/bin` })
    assert.equal((await crawl()).status, 'success')
    const rows = await services.db.selectFrom('passages').select('text').execute()
    assert.ok(rows.some(({ text }) => text === 'The gazebo of picture 1 opens at nine.'))
  })

  for (const [name, scan, black, white] of [
    ['as it stands', SCAN, [100, 100], [500, 100]],
    ['painted through a stencil', { ...SCAN, isMask: true }, [100, 100], [500, 700]],
    // A quarter turn clockwise moves the upper left to the upper right.
    ['as it is turned', { ...SCAN, rotate: 90 }, [700, 100], [100, 100]],
  ] as const) {
    test(`is seen whole, ${name}`, async (t) => {
      const { folder } = standIn(t, 'tesseract', SAYS_ITS_COUNT)
      await read(t, makeScannedPdf([scan]), { PATH: `${folder}:/usr/bin:/bin` })
      const { width, height, at } = openPng(join(folder, 'picture.png'))
      assert.deepEqual([width, height], name === 'as it is turned' ? [800, 600] : [600, 800])
      assert.equal(at(black[0], black[1]), 0)
      assert.equal(at(white[0], white[1]), 255)
    })
  }

  test('that show nothing readable says so, and so does a tesseract that fails', async (t) => {
    const silent = standIn(t, 'tesseract', 'cat > /dev/null')
    const failing = standIn(t, 'tesseract', 'exit 1')
    const pdf = makeScannedPdf([SCAN])
    const nothing = await read(t, pdf, { PATH: `${silent.folder}:/usr/bin:/bin` })
    assert.equal(nothing.status, 'error:no text')
    assert.match(nothing.meta.error, /no text was recognized/)
    const failed = await read(t, pdf, { PATH: `${failing.folder}:/usr/bin:/bin` })
    assert.equal(failed.status, 'fail')
    assert.match(failed.meta.error, /OCR_LANGUAGES/)
  })

  test('that is deleted while it is recognised ends tesseract', async (t) => {
    const { folder } = standIn(
      t,
      'tesseract',
      'echo $$ > "$FOLDER/started"; mv "$FOLDER/started" "$FOLDER/running"; exec sleep 600',
    )
    const PATH = `${folder}:/usr/bin:/bin`
    const { owner } = await startTestServer(t, { environment: { PATH } })
    const response = await owner.upload(
      await owner.createChatbot(),
      'scan.pdf',
      makeScannedPdf([SCAN]),
    )
    const { uuid } = (await response.json()) as { uuid: string }
    await assertEndsWithSource(owner, uuid, folder)
  })

  const data = findParserData()
  const skip =
    data && existsSync('/usr/bin/tesseract') ? false : 'tesseract or the file is not there'
  test('that is real is read by the real tesseract', { skip }, async (t) => {
    const pdf = readFileSync(join(data!, 'files/ocr_test.pdf'))
    const { passages } = await read(t, pdf, { PATH: '/usr/bin:/bin' })
    assert.match(passages[0].text, /JSON and Markdown in an easy self contained/)
  })
})
