import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startSite, startTestServer, until } from '../../../test/harness.ts'
import { newId } from '../../database/rows/ids.ts'

const KEYS =
  'uuid title type status file_name file_size tokens meta_json created_at modified_at'.split(' ')
const WHOLE_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const { owner, stranger } = await startTestServer(
  { after },
  { environment: { ALLOW_PRIVATE_HOSTS: 'localhost, 127.0.0.1' } },
)

async function createLink(chatbot: string, url: string) {
  return (await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, { url })).body
}

async function uploadText(chatbot: string, name: string, content: string) {
  const response = await owner.upload(chatbot, name, content)
  return owner.settled(((await response.json()) as { uuid: string }).uuid)
}

async function askOnce(chatbot: string, question: string) {
  const session = await owner.createSession(chatbot)
  const text = await (await owner.ask(session, question)).text()
  const [message] = await owner.messages(session)
  return { text, citations: JSON.parse(message.cite_data_json) }
}

describe('a source is created', () => {
  test('as a question and its answer', async () => {
    const chatbot = await owner.createChatbot()
    const pair = { question: ' When are you open? ', answer: ' Daily from 9 to 17. ' }
    const { status, body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), KEYS)
    assert.match(body.uuid, /^[0-9a-f]{32}$/)
    assert.match(body.created_at, WHOLE_SECOND)
    assert.equal(body.modified_at, body.created_at)
    const kept = { question: 'When are you open?', answer: 'Daily from 9 to 17.' }
    const { uuid, created_at, modified_at, meta_json, ...rest } = body
    assert.deepEqual(JSON.parse(meta_json), kept)
    assert.deepEqual(rest, {
      title: 'When are you open?',
      type: 'qa',
      status: 'await',
      file_name: '',
      file_size: 0,
      tokens: 0,
    })

    const source = await owner.settled(uuid)
    assert.deepEqual(Object.keys(source), KEYS)
    assert.equal(source.status, 'success')
    assert.equal(source.title, 'When are you open?')
    assert.ok(source.tokens > 8 && source.tokens < 20)
    assert.deepEqual(JSON.parse(source.meta_json), kept)
  })

  test('as a URL, whose page is fetched afterwards', async (t) => {
    const page = '<title>Opening\n hours</title><p>The museum opens at nine.'
    const fetching = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const site = await startSite(t, async ({ url }, response) => {
      if (url === '/') {
        response.writeHead(302, { location: '/hours' }).end()
        return
      }
      fetching.resolve()
      await answer.promise
      response.setHeader('content-type', 'text/html').end(page)
    })
    const chatbot = await owner.createChatbot()
    const created = await createLink(chatbot, site)
    assert.deepEqual(Object.keys(created), KEYS)
    assert.equal(created.type, 'link')
    assert.equal(created.status, 'await')
    assert.equal(created.title, site)
    assert.deepEqual(JSON.parse(created.meta_json), { url: site })

    await fetching.promise
    const { body } = await owner.json('GET', `/data-source/${created.uuid}`)
    assert.equal(body.status, 'extracting')
    answer.resolve()

    const source = await owner.settled(created.uuid)
    assert.equal(source.status, 'success')
    assert.equal(source.title, 'Opening hours')
    assert.equal(source.file_name, '')
    assert.equal(source.file_size, page.length)
    assert.ok(source.tokens > 3)
    const { fetched_at, ...meta } = JSON.parse(source.meta_json)
    assert.deepEqual(meta, { url: site, final_url: `${site}/hours` })
    assert.match(fetched_at, WHOLE_SECOND)
  })

  test('as a URL of a page without a title, which is called by its URL', async (t) => {
    const site = await startSite(t, (_, response) => response.end('The museum opens at nine.'))
    const url = `${site.replace('127.0.0.1', 'localhost')}/plain?a=b#part`
    const source = await owner.settled((await createLink(await owner.createChatbot(), url)).uuid)
    assert.equal(source.status, 'success')
    assert.equal(source.title, url)
  })

  test('as a URL of Markdown by its media type', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.setHeader('content-type', 'text/markdown; charset=utf-8').end('# Hours\n\nAt nine.')
    })
    const source = await owner.settled((await createLink(await owner.createChatbot(), site)).uuid)
    assert.equal(source.title, 'Hours')
  })

  test('as a URL, without the name and password in it', async () => {
    const source = await createLink(await owner.createChatbot(), 'http://me:secret@10.0.0.1/a')
    assert.equal(source.title, 'http://10.0.0.1/a')
    assert.deepEqual(JSON.parse(source.meta_json), { url: 'http://10.0.0.1/a' })
  })

  test('only of what is valid', async () => {
    const chatbot = await owner.createChatbot()
    const invalid: [path: string, body: unknown, fields: string[]][] = [
      ['url', {}, ['url']],
      ['url', { url: 7 }, ['url']],
      ['url', { url: ' ' }, ['url']],
      ['url', { url: 'example.org' }, ['url']],
      ['url', { url: 'http://' }, ['url']],
      ['url', { url: 'ftp://example.org/' }, ['url']],
      ['url', { url: 'file:///etc/passwd' }, ['url']],
      ['url', { url: 'javascript:alert(1)' }, ['url']],
      ['url', { url: `https://example.org/${'a'.repeat(2048)}` }, ['url']],
      ['qa', {}, ['question', 'answer']],
      ['qa', { question: ' ', answer: 'a' }, ['question']],
      ['qa', { question: 'q', answer: '\n' }, ['answer']],
      ['qa', { question: ['q'], answer: 'a' }, ['question']],
      ['qa', { question: 'q'.repeat(2001), answer: 'a' }, ['question']],
    ]
    for (const [path, given, fields] of invalid) {
      const { status, body } = await owner.json(
        'POST',
        `/chatbot/${chatbot}/data-source/${path}`,
        given,
      )
      assert.equal(status, 422, JSON.stringify(given))
      const named = body.details.map(({ loc }: { loc: string[] }) => loc[1])
      assert.deepEqual([...new Set(named)], fields)
    }
    assert.deepEqual((await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body, [])
  })

  test('only on a chatbot of one’s own', async () => {
    const others = await stranger.createChatbot()
    for (const uuid of [others, newId(), 'x']) {
      const url = { url: 'http://10.0.0.1/' }
      assert.equal((await owner.json('POST', `/chatbot/${uuid}/data-source/url`, url)).status, 404)
      const pair = { question: 'q', answer: 'a' }
      assert.equal((await owner.json('POST', `/chatbot/${uuid}/data-source/qa`, pair)).status, 404)
    }
    assert.deepEqual((await stranger.json('GET', `/chatbot/${others}/data-sources`)).body, [])
  })
})

test('sources are listed in the order in which they were made', async () => {
  const chatbot = await owner.createChatbot()
  const uuids = []
  for (const question of ['a', 'b', 'c']) uuids.push(await owner.createPair(chatbot, question, 'x'))
  const { body } = await owner.json('GET', `/chatbot/${chatbot}/data-sources`)
  assert.deepEqual(
    body.map(({ uuid }: { uuid: string }) => uuid),
    uuids,
  )
  assert.deepEqual(Object.keys(body[0]), KEYS)
})

describe('what is in a source is found by its words and quoted', () => {
  const text = 'The lighthouse was built in 1887. Its keeper lived on the top floor.'
  const quote = 'The lighthouse was built in 1887.'
  const files = {
    'plain text': ['a.txt', text, 'a.txt'],
    Markdown: ['a.md', `# Our lights\n\n${text}`, 'Our lights'],
    HTML: ['a.html', `<title>Our lights</title><nav>Home</nav><p>${text}`, 'Our lights'],
  } as const
  for (const [kind, [name, content, title]] of Object.entries(files)) {
    test(`from a file of ${kind}`, async () => {
      const chatbot = await owner.createChatbot({ show_citations: true })
      const source = await uploadText(chatbot, name, content)
      const { text: answer, citations } = await askOnce(chatbot, 'When was the lighthouse built?')
      assert.equal(answer, `${quote} [1.1]`)
      assert.deepEqual(Object.keys(citations), ['1.1'])
      const { text: passage, ...rest } = citations['1.1']
      assert.ok(passage.endsWith(text))
      assert.deepEqual(rest, {
        data_source_uuid: source.uuid,
        title,
        file_name: name,
        type: 'upload',
      })
    })
  }

  test('from a page', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.setHeader('content-type', 'text/html').end(`<title>Lights</title><p>${text}`)
    })
    const chatbot = await owner.createChatbot({ show_citations: true })
    const { uuid } = await owner.settled((await createLink(chatbot, site)).uuid)
    const { text: answer, citations } = await askOnce(chatbot, 'When was the lighthouse built?')
    assert.equal(answer, `${quote} [1.1]`)
    assert.deepEqual(citations, {
      '1.1': { data_source_uuid: uuid, title: 'Lights', text, file_name: '', type: 'link' },
    })
  })

  test('from a pair, whose answer is given word for word', async () => {
    const chatbot = await owner.createChatbot({ show_citations: true })
    const answer = 'It was built in 1887.\n\n- By hand\n- In stone'
    const uuid = await owner.createPair(chatbot, 'When was the lighthouse built?', answer)
    const given = await askOnce(chatbot, 'when did they build the lighthouse')
    assert.equal(given.text, `${answer} [1.1]`)
    assert.deepEqual(given.citations, {
      '1.1': {
        data_source_uuid: uuid,
        title: 'When was the lighthouse built?',
        text: answer,
        file_name: '',
        type: 'qa',
      },
    })
  })

  test('in scripts without spaces too, and without regard to case and form', async () => {
    const chatbot = await owner.createChatbot()
    await uploadText(chatbot, 'a.txt', '博物馆每天上午九点开门。')
    assert.match((await askOnce(chatbot, '博物馆几点开门')).text, /上午九点/)
    await uploadText(chatbot, 'b.txt', 'Der ＭＵＳＥＵＭＳＧＡＲＴＥＮ ist geöffnet.')
    assert.match((await askOnce(chatbot, 'museumsgarten')).text, /geöffnet/)
  })

  test('in long files, from wherever it stands in them', async () => {
    const chatbot = await owner.createChatbot()
    const filler = (n: number) => `Paragraph ${n} speaks of nothing in particular. `.repeat(8)
    const paragraphs = Array.from({ length: 200 }, (_, n) => filler(n))
    paragraphs[150] = 'The telescope is kept in the cellar.'
    await uploadText(chatbot, 'long.txt', paragraphs.join('\n\n'))
    const { text: answer } = await askOnce(chatbot, 'Where is the telescope?')
    assert.match(answer, /^The telescope is kept in the cellar\./)
  })

  test('but never from another chatbot', async () => {
    const [mine, other] = [await owner.createChatbot(), await owner.createChatbot()]
    await uploadText(other, 'a.txt', text)
    assert.match((await askOnce(mine, 'When was the lighthouse built?')).text, /did not find/)
  })
})

test('the time of a source never goes back while it is taken in', async () => {
  const bot = await owner.createChatbot()
  const text = 'The gazebo in the garden opens at nine and closes at five. '.repeat(1200)
  const { uuid } = (await (await owner.upload(bot, 'long.txt', text)).json()) as { uuid: string }
  const times: string[] = []
  await until(async () => {
    const { body } = await owner.json('GET', `/data-source/${uuid}`)
    times.push(body.modified_at)
    return body.status === 'success' || undefined
  })
  assert.deepEqual(times, times.toSorted())
})

test('the same content twice gives two records, and is quoted once', async () => {
  const chatbot = await owner.createChatbot({ show_citations: true })
  const first = await uploadText(chatbot, 'a.txt', 'The bakery sells rye bread.')
  const second = await uploadText(chatbot, 'a.txt', 'The bakery sells rye bread.')
  assert.notEqual(first.uuid, second.uuid)
  assert.deepEqual([first.status, second.status], ['success', 'success'])
  const { text } = await askOnce(chatbot, 'What does the bakery sell?')
  assert.equal(text, 'The bakery sells rye bread. [1.1]')

  await owner.json('POST', `/data-source/${first.uuid}/delete`)
  const { citations } = await askOnce(chatbot, 'What does the bakery sell?')
  assert.equal(citations['1.1'].data_source_uuid, second.uuid)
})

describe('a source that was given a title', () => {
  test('keeps it when its page is fetched again', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Found</title><p>Hello.')
    })
    const { uuid } = await owner.settled((await createLink(await owner.createChatbot(), site)).uuid)
    const renamed = await owner.json('POST', `/data-source/${uuid}/update`, { title: ' Chosen ' })
    assert.equal(renamed.status, 200)
    assert.deepEqual(Object.keys(renamed.body), KEYS)
    assert.equal(renamed.body.title, 'Chosen')
    await owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] })
    const source = await owner.settled(uuid)
    assert.deepEqual([source.status, source.title], ['success', 'Chosen'])
  })

  test('while it was being taken in keeps it too, and cites with it', async (t) => {
    const answer = Promise.withResolvers<void>()
    const site = await startSite(t, async (_, response) => {
      await answer.promise
      response.setHeader('content-type', 'text/html').end('<title>Found</title><p>The gate is red.')
    })
    const chatbot = await owner.createChatbot({ show_citations: true })
    const { uuid } = await createLink(chatbot, site)
    await owner.json('POST', `/data-source/${uuid}/update`, { title: 'Chosen' })
    answer.resolve()
    assert.equal((await owner.settled(uuid)).title, 'Chosen')
    const { citations } = await askOnce(chatbot, 'What colour is the gate?')
    assert.equal(citations['1.1'].title, 'Chosen')
  })

  test('may be as long as those that sources have by themselves', async () => {
    const question = `Why ${'oh '.repeat(300)}why?`
    const uuid = await owner.createPair(await owner.createChatbot(), question, 'Because.')
    const { status, body } = await owner.json('POST', `/data-source/${uuid}/update`, {
      title: question,
    })
    assert.equal(status, 200)
    assert.equal(body.title, question)
  })

  test('has to be one’s own, and the title has to be one', async () => {
    const uuid = await stranger.createPair(await stranger.createChatbot(), 'q', 'a')
    for (const id of [uuid, newId()]) {
      const { status } = await owner.json('POST', `/data-source/${id}/update`, { title: 'Mine' })
      assert.equal(status, 404)
    }
    for (const title of [undefined, '', ' ', 7, 'a'.repeat(2049)]) {
      const { status, body } = await stranger.json('POST', `/data-source/${uuid}/update`, { title })
      assert.equal(status, 422)
      assert.deepEqual(body.details[0].loc, ['body', 'title'])
    }
    assert.equal((await stranger.json('GET', `/data-source/${uuid}`)).body.title, 'q')
  })
})

describe('a page is fetched again', () => {
  test('and what it says now takes the place of what it said, which serves until then', async (t) => {
    const versions = ['The ferry leaves at six.', 'The ferry leaves at ten.']
    const held = Promise.withResolvers<void>()
    let visits = 0
    const site = await startSite(t, async (_, response) => {
      visits += 1
      if (visits > 1) await held.promise
      response.end(versions[visits - 1])
    })
    const chatbot = await owner.createChatbot()
    const { uuid } = await owner.settled((await createLink(chatbot, site)).uuid)

    const { body } = await owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] })
    assert.deepEqual(body, [{ uuid, status: 'restarted scraping' }])
    assert.equal((await askOnce(chatbot, 'When does the ferry leave?')).text, versions[0])
    held.resolve()
    await owner.settled(uuid)
    assert.equal((await askOnce(chatbot, 'When does the ferry leave?')).text, versions[1])
  })

  test('after it failed, and the failure is forgotten', async (t) => {
    let there = false
    const site = await startSite(t, (_, response) => {
      response.writeHead(there ? 200 : 404).end('Hello.')
    })
    const { uuid } = await owner.settled((await createLink(await owner.createChatbot(), site)).uuid)
    there = true
    await owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] })
    const waiting = (await owner.json('GET', `/data-source/${uuid}`)).body
    assert.equal(JSON.parse(waiting.meta_json).error, undefined)
    const source = await owner.settled(uuid)
    assert.equal(source.status, 'success')
    assert.equal(JSON.parse(source.meta_json).error, undefined)
  })

  test('only if it is one’s own page, and the answer says so for each uuid', async () => {
    const chatbot = await owner.createChatbot()
    const { uuid: link } = await createLink(chatbot, 'http://10.0.0.1/')
    const pair = await owner.createPair(chatbot, 'q', 'a')
    const others = await stranger.createPair(await stranger.createChatbot(), 'q', 'a')
    const uuids = [link, pair, others, newId(), 'x', link]
    const { status, body } = await owner.json('POST', '/data-sources/url/re-scrape', { uuids })
    assert.equal(status, 200)
    const error = 'invalid data source'
    assert.deepEqual(body, [
      { uuid: link, status: 'restarted scraping' },
      ...uuids.slice(1, 5).map((uuid) => ({ uuid, error })),
    ])
    for (const body of [{}, { uuids: [] }, { uuids: [1] }, { uuids: 'x' }]) {
      const answer = await owner.json('POST', '/data-sources/url/re-scrape', body)
      assert.equal(answer.status, 422)
    }
  })
})
