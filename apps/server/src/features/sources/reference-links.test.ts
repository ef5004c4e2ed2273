import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSite, startTestServer } from '../../../test/harness.ts'

const { owner } = await startTestServer(
  { after },
  { environment: { ALLOW_PRIVATE_HOSTS: 'localhost, 127.0.0.1' } },
)

test('a pair or a page has a link under which readers of a citation find it', async (t) => {
  const site = await startSite(t, (_request, response) => {
    response.setHeader('content-type', 'text/html').end('<p>The museum opens at nine.')
  })
  const chatbot = await owner.createChatbot()
  const linkOf = (source: { meta_json: string }) =>
    JSON.parse(source.meta_json).reference_source_link
  for (const [path, body] of [
    ['qa', { question: 'When are you open?', answer: 'The museum opens at nine.' }],
    ['url', { url: site }],
  ] as const) {
    const create = async (link: unknown) => {
      const given = { ...body, reference_source_link: link }
      return (await owner.json('POST', `/chatbot/${chatbot}/data-source/${path}`, given)).body
    }
    const source = await create(' https://me:secret@museum.example/visit ')
    assert.equal(Object.keys(source).length, 10)
    assert.equal(linkOf(source), 'https://museum.example/visit')
    assert.equal((await owner.settled(source.uuid)).status, 'success')
    await owner.json('POST', `/data-source/${source.uuid}/retry`)
    assert.equal(linkOf(await owner.settled(source.uuid)), 'https://museum.example/visit')
    const query = { query: 'When does the museum open?' }
    const found = await owner.json('POST', `/chatbot/${chatbot}/search`, query)
    assert.equal(found.body[0].url, 'https://museum.example/visit')
    for (const none of [null, '', undefined]) {
      const other = await create(none)
      assert.equal('reference_source_link' in JSON.parse(other.meta_json), false)
      await owner.json('POST', `/data-source/${other.uuid}/delete`)
    }
    await owner.json('POST', `/data-source/${source.uuid}/delete`)
  }
})

test('such a link is a web address', async () => {
  const chatbot = await owner.createChatbot()
  const wrong = [
    'javascript:alert(1)',
    'ftp://example.org/',
    'example.org',
    7,
    ['https://a.example'],
  ]
  for (const link of wrong) {
    for (const [path, body] of [
      ['qa', { question: 'q', answer: 'a' }],
      ['url', { url: 'http://a.example' }],
    ] as const) {
      const given = { ...body, reference_source_link: link }
      const refused = await owner.json('POST', `/chatbot/${chatbot}/data-source/${path}`, given)
      assert.equal(refused.status, 422, JSON.stringify(given))
      assert.equal(refused.body.details[0].loc[1], 'reference_source_link')
    }
  }
})
