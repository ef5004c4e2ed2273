import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import nodeTest, { suite, test } from 'node:test'
import { startPages } from '../../../test/crawling.ts'
import { changeSealed } from '../../../test/files/change-sealed.ts'
import { startTestServer, temporaryFolder } from '../../../test/harness.ts'
import { docentOn, runForJson } from '../../../test/run-docent.ts'
import type { AppError } from '../../errors.ts'
import { listUsers } from '../../features/accounts/users.store.ts'
import { importChatbot } from './import-chatbot.ts'

const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1', MAX_UPLOAD_MB: '1' }
const server = await startTestServer(nodeTest, { environment })
const { db } = server.services
const file = join(temporaryFolder(nodeTest), 'bot.gz')
const good = await exportChatbot()

/** Exports a public chatbot with a source of every kind, then deletes it from the server. */
async function exportChatbot(): Promise<Buffer> {
  const { owner } = server
  const { origin } = await startPages(nodeTest, {
    '/': {
      headers: { etag: '"1"' },
      body: '<title>House</title><p>Hi.</p><a href="/soup">Soup</a>',
    },
    '/soup': '<title>Soup</title><p>Our soup is made of pumpkins.</p>',
  })
  const settings = { name: 'Guide', model: 'docent-quote', prompt: 'Be kind.' }
  const chatbot = await owner.createChatbot({ ...settings, visibility: 'public' })
  await owner.json('POST', `/chatbot/${chatbot}/widget/update`, { color: '#123456' })
  await owner.createPair(chatbot, 'What is the admission?', 'It is 12 euros.')
  const link = { reference_source_link: 'https://example.org/prices' }
  const upload = await owner.upload(chatbot, 'prices.txt', 'Admission is 12 euros.', link)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  const site = { url: `${origin}/`, crawl: {}, refresh_hours: 24 }
  const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, site)
  assert.equal((await owner.settled(body.uuid)).status, 'success')
  await runForJson(server, ['export', chatbot, file])
  await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
  return readFileSync(file)
}

// biome-ignore lint/suspicious/noExplicitAny: lines of every shape
type Value = any
type Change = (lines: Value[]) => void

/** A changed file with a valid seal. */
function forge(change: Change): Buffer {
  return changeSealed(
    good,
    (text) => {
      const [header, ...rest] = text.split('\n')
      const lines = rest.map((line) => (line === '' ? '' : JSON.parse(line)))
      const before = JSON.stringify(lines)
      change(lines)
      assert.notEqual(JSON.stringify(lines), before)
      return [header, ...lines.map((line) => (line === '' ? '' : JSON.stringify(line)))].join('\n')
    },
    { seals: true },
  )
}

const first = (kind: string, change: (value: Value) => void): Change => {
  return (lines) => change(lines.find((line) => kind in line)[kind])
}
const chatbot = (change: (value: Value) => void) => first('chatbot', change)
const source = (type: string, change: (value: Value) => void): Change => {
  return (lines) => change(lines.find((line) => line.source?.type === type).source)
}
const set = (fields: object) => (value: object) => void Object.assign(value, fields)

const FUTURE = Date.now() + 86_400_000
const SCRIPT = 'javascript:alert(1)'

suite('a file whose author means harm', () => {
  for (const [what, change, field] of [
    ['a name of blanks', chatbot(set({ name: '  ' })), /chatbot\.name must not be empty/],
    ['a name with blanks around it', chatbot(set({ name: ' a ' })), /chatbot\.name must not begin/],
    ['a name with NUL', chatbot(set({ name: 'a\0' })), /chatbot\.name must be valid Unicode/],
    ['a name that is too long', chatbot(set({ name: 'x'.repeat(256) })), /chatbot\.name must have/],
    [
      'a name of a model with NUL',
      chatbot(set({ model: 'gpt-\0' })),
      /chatbot\.model must be valid/,
    ],
    ['an empty name of a model', chatbot(set({ model: '' })), /chatbot\.model must not be empty/],
    ['a budget beyond all bounds', chatbot(set({ token_budget: 1e13 })), /chatbot\.token_budget/],
    [
      'half a character in the prompt',
      chatbot(({ settings }) => set({ prompt: '\ud800' })(settings)),
      /chatbot\.prompt must be valid Unicode/,
    ],
    [
      'a temperature',
      chatbot(({ settings }) => set({ temperature: 2.1 })(settings)),
      /chatbot\.settings\.temperature must be at most 2/,
    ],
    [
      'a rate limit of nothing',
      chatbot(({ settings }) => set({ rate_limit: [0, 60] })(settings)),
      /chatbot\.settings\.rate_limit\.0/,
    ],
    [
      'a visibility that there is not',
      chatbot(({ settings }) => set({ visibility: 'admin' })(settings)),
      /chatbot\.settings\.visibility must be one of/,
    ],
    [
      'a colour that is CSS',
      chatbot(({ widget }) => set({ color: 'red;}*{' })(widget)),
      /chatbot\.widget\.color/,
    ],
    [
      'an origin that says more in a policy',
      chatbot(({ widget }) => set({ allowed_origins: ["https://a.b; script-src 'none'"] })(widget)),
      /chatbot\.widget\.allowed_origins/,
    ],
    ['a date to come', chatbot(set({ modified_at: FUTURE })), /chatbot\.modified_at .*future/],
    ['a date of before there was any', chatbot(set({ created_at: 0 })), /chatbot\.created_at/],
    ['a date that is none', chatbot(set({ created_at: 8.64e15 })), /chatbot\.created_at .*future/],
    [
      'a change before the beginning',
      chatbot((value) => set({ modified_at: value.created_at - 1 })(value)),
      /chatbot\.modified_at must not be before created_at/,
    ],
    [
      'a script as the link of a citation',
      source('upload', ({ meta }) => set({ reference_source_link: SCRIPT })(meta)),
      /source\.2\.meta\.reference_source_link must be an http or https URL/,
    ],
    [
      'a script as the address of a page',
      source('link', ({ meta }) => set({ url: SCRIPT })(meta)),
      /source\.3\.meta\.url must be an http or https URL/,
    ],
    [
      'a script as where a page leads',
      source('link', ({ meta }) => set({ final_url: SCRIPT })(meta)),
      /source\.3\.meta\.final_url must be/,
    ],
    [
      'a script somewhere deep within',
      source('link', ({ meta }) => set({ more: [{ page_url: SCRIPT }] })(meta)),
      /source\.3\.meta\.page_url must be/,
    ],
    [
      'a text as the time of reading',
      source('link', ({ meta }) => set({ fetched_at: 'soon' })(meta)),
      /source\.3\.meta\.fetched_at/,
    ],
    [
      'a pause that is no number',
      source('link', ({ meta }) => set({ pause_seconds: 'x' })(meta)),
      /source\.3\.meta\.pause_seconds must be a number/,
    ],
    [
      'no address',
      source('link', ({ meta }) => delete meta.url),
      /source\.3\.meta\.url is required/,
    ],
    [
      'a pair without an answer',
      source('qa', ({ meta }) => set({ answer: ' ' })(meta)),
      /source\.1\.meta\.answer must not be empty/,
    ],
    [
      'meta without an end',
      source('qa', ({ meta }) => set({ more: 'x'.repeat(2_000_000) })(meta)),
      /source\.1\.meta must be smaller/,
    ],
    [
      'an empty title that somebody chose',
      source('qa', set({ title: '', title_chosen: true })),
      /source\.1\.title must not be empty/,
    ],
    ['a path as the name of a file', source('upload', set({ file_name: '../a' })), /file_name/],
    ['a pair with a file’s name', source('qa', set({ file_name: 'a.txt' })), /1\.file_name/],
    [
      'another size than the file',
      source('upload', set({ file_size: 1 })),
      /2\.file_size must be 22/,
    ],
    [
      'a status that there is not',
      source('qa', set({ status: 'ok' })),
      /source\.1\.status must be/,
    ],
    ['a reading in ten years', source('link', set({ due_at: FUTURE * 2 })), /source\.3\.due_at/],
    ['a source to come', source('qa', set({ modified_at: FUTURE })), /1\.modified_at .*future/],
    ['a script as a page', first('page', set({ url: SCRIPT })), /source\.3\.page\.url/],
    ['a page to come', first('page', set({ fetched_at: FUTURE })), /3\.page\.fetched_at .*future/],
    ['a script as a visit', first('visit', set({ url: SCRIPT })), /3\.visit\.url/],
    ['a script as a link', first('visit', set({ links: `["${SCRIPT}"]` })), /3\.visit\.links/],
    [
      'links that are none',
      first('visit', set({ links: '{' })),
      /3\.visit\.links must be a JSON list/,
    ],
    ['a header with lines', first('visit', set({ etag: 'a\r\nb: c' })), /3\.visit\.etag must fit/],
    [
      'a sitemap that is none',
      (lines) => {
        const sitemap = { url: 'https://a.b/', etag: '', last_modified: '', lists: 'null' }
        lines.splice(
          lines.findIndex((line) => line.visit),
          0,
          { sitemap },
        )
      },
      /3\.sitemap\.lists/,
    ],
    ['pages beyond the text', first('revision', set({ pages: [0, 9e9] })), /1\.revision\.pages/],
    [
      'a script as a passage’s page',
      first('passages', set({ page_url: SCRIPT })),
      /page_url must be/,
    ],
  ] as [string, Change, RegExp][]) {
    test(`is refused with ${what}, and nothing is imported`, async () => {
      writeFileSync(file, forge(change))
      // Calls what the command calls, without a process for each case.
      const [owner] = await listUsers(db)
      const rules = { models: server.services.models, maxUploadBytes: server.config.maxUploadBytes }
      const never = () => assert.fail('It was not checked first')
      await assert.rejects(importChatbot(db, file, owner!, rules, never), (error: AppError) => {
        assert.equal(error.code, 'invalid', error.message)
        assert.match(error.message, /Nothing was imported: /)
        assert.match(error.message, field)
        return true
      })
      assert.deepEqual((await server.owner.json('GET', '/chatbots')).body, [])
    })
  }

  test('is refused with one message for all that is wrong, of bounded length', async () => {
    const change: Change = (lines) => {
      for (const line of lines)
        if (line.source) set({ title: 'a\0', modified_at: FUTURE })(line.source)
      const { source, ...rest } = lines.find((line) => line.source?.type === 'qa')
      const wrong = { ...source, created_at: 0, file_name: 'a/b', due_at: FUTURE * 2 }
      for (let i = 0; i < 30; i++) lines.splice(1, 0, { ...rest, source: wrong })
    }
    writeFileSync(file, forge(change))
    const { code, stderr } = await docentOn(server, ['import', file], environment)
    assert.equal(code, 2)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
    assert.match(stderr, /source\.1\.title .*; source\.1\.created_at .*; and \d+ more\.\n$/)
    assert.ok(stderr.length < 3_000)
  })

  test('is refused with a file that is larger than an upload may be', async () => {
    const content = Buffer.alloc(1_100_000, 'a')
    const change: Change = (lines) => {
      const at = lines.findIndex((line) => line.source?.type === 'upload')
      lines[at].source.file_size = content.length
      lines[at + 1].file = content.toString('base64')
    }
    writeFileSync(file, forge(change))
    const { code, stderr } = await docentOn(server, ['import', file], environment)
    assert.equal(code, 2)
    assert.match(stderr, /source\.2\.file must have at most 1048576 bytes \(MAX_UPLOAD_MB\)/)
  })
})

suite('an import', () => {
  test('is private, whatever the file says, and says so', async () => {
    writeFileSync(file, good)
    const { stdout } = await docentOn(server, ['import', file], environment)
    assert.match(
      stdout,
      /It is private until its owner changes its visibility\. It was public on the original server/,
    )
    const made = await runForJson(server, ['import', file], environment)
    assert.equal(made.visibility, 'private')
    assert.equal(made.visibility_before, 'public')
    assert.equal(made.unknown_model, null)
    const { body } = await server.owner.json('GET', '/chatbots')
    assert.deepEqual(
      body.map((one: Value) => [one.meta.visibility, one.meta.model]),
      [
        ['private', 'docent-quote'],
        ['private', 'docent-quote'],
      ],
    )
    const page = await fetch(`${server.address}/widget/${made.uuid}`)
    assert.equal(page.status, 404)
  })

  test('that names a model which this server does not know gets the default one, and says so', async () => {
    writeFileSync(file, forge(chatbot(set({ model: 'house-model-7' }))))
    const { stdout } = await docentOn(server, ['import', file], environment)
    assert.match(stdout, /This server has no model "house-model-7", so its default model answers\./)
    const made = await runForJson(server, ['import', file], environment)
    assert.equal(made.unknown_model, 'house-model-7')
    const { body } = await server.owner.json('GET', `/chatbot/${made.uuid}`)
    assert.equal(body.meta.model, server.config.defaultModel)
  })
})
