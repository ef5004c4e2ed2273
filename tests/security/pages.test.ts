import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Client, startTestServer } from '@docent/server/test/harness.ts'
import { makeRecords } from '@docent/server/test/routes.ts'

const { owner, address } = await startTestServer({ after })
const open = await makeRecords(owner, { visibility: 'public' })

const PAGES = [
  '/',
  '/setup',
  '/sign-in',
  '/chatbots',
  `/chatbots/${open.chatbot}`,
  '/tokens',
  '/account',
  `/c/${open.chatbot}`,
  '/c/nobody',
  `/widget/${open.chatbot}`,
  '/widget/nobody',
  '/docs/',
]
const OTHERS = [
  '/widget.js',
  '/favicon.svg',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/nowhere',
  '/api/v1/nowhere',
  '/api/v1/chatbots',
  '/api/v1/auth/state',
  '/v1/models',
]

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(address + path, { headers, redirect: 'manual' })

function policyOf(response: Response): Map<string, string> {
  const policy = response.headers.get('content-security-policy') ?? ''
  const rules = policy.split(';').map((rule) => rule.trim().split(/ (.*)/s))
  return new Map(rules.map(([name = '', values = '']) => [name, values]))
}

suite('a page', () => {
  for (const path of PAGES) {
    test(`${path.replace(open.chatbot, '…')} runs no script but its own, and is framed by nobody it does not know`, async () => {
      const response = await get(path)
      const html = await response.text()
      assert.match(response.headers.get('content-type')!, /^text\/html/)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      const policy = policyOf(response)
      const scripts = policy.get('script-src') ?? policy.get('default-src')
      assert.doesNotMatch(scripts!, /unsafe|data:|\*|https?:/)
      assert.doesNotMatch(policy.get('connect-src') ?? policy.get('default-src')!, /\*|https?:/)
      assert.ok(policy.has('base-uri'))
      const ancestors = policy.get('frame-ancestors')
      // Any site may embed the widget until its owner lists the allowed sites.
      if (path === `/widget/${open.chatbot}`) assert.equal(ancestors, "'self' * file:")
      else assert.equal(ancestors, "'none'")
      assert.equal(policy.get('default-src'), "'none'")
      for (const rule of ['style-src', 'img-src', 'font-src', 'form-action'])
        assert.match(policy.get(rule) ?? "'none'", /^'(none|self)'( data:)?$/, rule)
      assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>|\son\w+=|href="javascript:/i)
    })
  }

  test('to try the interface out keeps no token, and asks nobody else about it', async () => {
    const script = await (await get('/docs/static/swagger-initializer.js')).text()
    assert.match(script, /"persistAuthorization":false/)
    assert.match(script, /"validatorUrl":null/)
  })

  test('of the console lets no other origin see where its reader came from', async () => {
    assert.equal((await get('/')).headers.get('referrer-policy'), 'same-origin')
  })
})

suite('what is no page', () => {
  for (const path of OTHERS) {
    test(`${path} is never taken for one`, async () => {
      const response = await get(path)
      await response.text()
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.doesNotMatch(response.headers.get('content-type')!, /html/)
      assert.equal(policyOf(response).get('default-src'), "'none'")
      assert.equal(policyOf(response).get('frame-ancestors'), "'none'")
    })
  }

  test('figures of the server and who is signed in are read by no page of another site', async () => {
    const from = { origin: 'https://elsewhere.test' }
    const originsOf = async (path: string) => {
      const response = await get(path, from)
      await response.text()
      return response.headers.get('access-control-allow-origin')
    }
    for (const path of ['/metrics', '/api/v1/auth/state'])
      assert.equal(await originsOf(path), null, path)
    // Pages of other sites call the API with their own token, and check the server's health.
    for (const path of ['/api/v1/chatbots', '/v1/models', '/healthz'])
      assert.equal(await originsOf(path), '*', path)
  })

  test('a stored answer is sent as plain text, in no way that a browser would run or keep', async () => {
    const response = await owner.send('GET', `/session/${open.session}/messages/plain-text`)
    assert.match(response.headers.get('content-type')!, /^text\/plain/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(response.headers.get('cache-control')!, /no-store/)
    await response.text()
    const stream = await owner.ask(open.session, '<script>alert(1)</script>')
    assert.match(stream.headers.get('content-type')!, /^text\/plain/)
    assert.equal(stream.headers.get('x-content-type-options'), 'nosniff')
    await stream.text()
  })
})

suite('what a request claims about itself', () => {
  const LIES = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-server': 'evil.example',
    'x-forwarded-proto': 'javascript',
    'x-forwarded-prefix': '//evil.example',
    'x-original-url': '/api/v1/tokens',
    'x-rewrite-url': '/api/v1/tokens',
    'x-host': 'evil.example',
    forwarded: 'host=evil.example;proto=https',
    referer: 'https://evil.example/',
  }

  test('comes back in no page and no header', async () => {
    for (const path of [...PAGES, ...OTHERS, '/docs', '/api/v1/chatbots?limit=1']) {
      const response = await get(path, { ...LIES, authorization: `Bearer ${owner.token}` })
      const text = await response.text()
      const all = JSON.stringify([...response.headers]) + text
      assert.doesNotMatch(all, /evil\.example/, path)
    }
  })

  test('does not change what is asked for, nor how', async () => {
    const headers = { ...LIES, 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
    const path = `/chatbot/${open.chatbot}`
    const response = await owner.send('GET', path, undefined, headers)
    assert.equal(((await response.json()) as { uuid: string }).uuid, open.chatbot)
    assert.equal((await owner.send('POST', path, {}, headers)).status, 405)
    assert.equal((await owner.json('GET', path)).status, 200)
  })
})

suite('what anybody may read', () => {
  test('tells no token, no secret and nobody’s name or text', async () => {
    const { body } = await owner.json('POST', `/chatbot/${open.chatbot}/webhook/create`, {
      url: 'https://hooks.invalid/here',
    })
    await owner.json('POST', `/chatbot/${open.chatbot}/update`, { prompt: 'be the secret keeper' })
    const visitor = new Client(address, '')
    const session = `/public/chatbot/${open.chatbot}/session`
    const { secret } = (await visitor.json('POST', session, { channel: 'share' })).body
    const paths = [...PAGES, ...OTHERS, `/api/v1/public/chatbot/${open.chatbot}?channel=share`]
    for (const path of paths) {
      const text = await (await get(path)).text()
      for (const hidden of [
        owner.token,
        body.secret,
        secret,
        'secret keeper',
        'hooks.invalid/here',
      ]) {
        assert.ok(!text.includes(hidden), `${path} tells ${hidden}`)
      }
    }
  })

  test('is the same for a chatbot that is private as for one that is not there', async () => {
    const hidden = await owner.createChatbot({ name: 'Hidden', visibility: 'private' })
    const ask = async (uuid: string) => {
      const [state, page, frame] = await Promise.all([
        get(`/api/v1/public/chatbot/${uuid}?channel=widget`),
        get(`/c/${uuid}`),
        get(`/widget/${uuid}`),
      ])
      const bodies = await Promise.all([state, page, frame].map((each) => each.text()))
      return JSON.stringify([state.status, page.status, frame.status, bodies]).replace(
        /"request_id\\":\\"[^"]*/,
        '',
      )
    }
    assert.equal(await ask(hidden), await ask('0'.repeat(32)))
  })
})
