import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { startSite, startTestServer } from '../../../test/harness.ts'
import { ConnectionGuard } from './connection-guard.ts'
import { fetchPage } from './fetch-user-url.ts'
import { AllowedHosts, isPublicAddress } from './public-addresses.ts'

const HERE = { guard: new ConnectionGuard({ allowPrivateHosts: ['127.0.0.1'] }) }
const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
const { owner, services } = await startTestServer({ after }, { environment })
const chatbot = await owner.createChatbot()

async function createLink(url: string, client = owner, bot = chatbot): Promise<string> {
  return (await client.json('POST', `/chatbot/${bot}/data-source/url`, { url })).body.uuid
}

/** A site that writes raw bytes to the socket. */
async function startRawSite(t: TestContext, speak: (socket: Socket) => void): Promise<string> {
  const site = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => speak(socket))
    t.after(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

describe('an address is public or special', () => {
  const special = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 100::1
    2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 [::1] fec0::1
    ff02::1 localhost 2130706433 127.1 0x7f000001`
  for (const address of special.split(/\s+/)) {
    test(`${address} is not public`, () => assert.equal(isPublicAddress(address), false))
  }
  for (const address of `1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.167.0.1
    198.17.0.1 223.255.255.255 2606:4700::1111 2a00:1450::1 [2606:4700::1111]`.split(/\s+/)) {
    test(`${address} is public`, () => assert.equal(isPublicAddress(address), true))
  }
})

test('an operator allows private hosts by name, address or range', () => {
  const allowed = new AllowedHosts([
    'Wiki.Intranet',
    '10.1.0.0/16',
    '192.168.1.5',
    '[fd00::1]',
    'fd12::/16',
  ])
  const cases: [hostname: string, address: string, allowed: boolean][] = [
    ['wiki.intranet', '10.9.9.9', true],
    ['WIKI.intranet', '10.9.9.9', true],
    ['other.wiki.intranet', '10.9.9.9', false],
    ['any.name', '10.1.2.3', true],
    ['any.name', '10.2.2.3', false],
    ['192.168.1.5', '192.168.1.5', true],
    ['192.168.1.6', '192.168.1.6', false],
    ['fd00::1', 'fd00::1', true],
    ['fd00::2', 'fd00::2', false],
    ['fd12::9', 'fd12::9', true],
  ]
  for (const [hostname, address, expected] of cases) {
    assert.equal(allowed.allows(hostname, address), expected, `${hostname} at ${address}`)
  }
})

test('no spelling of a private address in a URL source reaches it', async (t) => {
  let visits = 0
  const site = await startSite(t, (_, response) => {
    visits += 1
    response.end('secret')
  })
  const { owner } = await startTestServer(t)
  const chatbot = await owner.createChatbot()
  const port = new URL(site).port
  const hosts =
    `127.0.0.1 127.0.0.1. 127.1 0 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 localhost
    localhost. LOCALHOST １２７.0.0.1 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1]
    example.org@127.0.0.1 user:password@localhost`.split(/\s+/)
  const urls = [
    ...hosts.map((host) => `http://${host}:${port}/`),
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'https://192.168.0.1/',
  ]
  for (const url of urls) {
    const source = await owner.settled(await createLink(url, owner, chatbot))
    assert.equal(source.status, 'error:download', url)
    assert.match(JSON.parse(source.meta_json).error, /private or reserved/, url)
  }
  assert.equal(visits, 0)
})

describe('a redirect is followed', () => {
  test('to the end, and the URL at the end is known', async (t) => {
    const site = await startSite(t, (request, response) => {
      if (request.url === '/end') response.end('the end')
      else response.writeHead(301, { location: request.url === '/a' ? '/b' : 'end#part' }).end()
    })
    const page = await fetchPage(`${site}/a`, HERE)
    assert.equal(page.url, `${site}/end`)
    assert.equal(String(page.bytes), 'the end')
  })

  const forbidden = {
    'a private address': ['http://10.0.0.1/', /private or reserved/],
    'a loopback address that was not allowed': ['http://127.0.0.2/', /private or reserved/],
    'an IPv4 address dressed as IPv6': ['http://[::ffff:10.0.0.1]/', /private or reserved/],
    'an address in another notation': ['//0x0a000001/', /private or reserved/],
    'a file': ['file:///etc/passwd', /Only http and https/],
    'another scheme': ['ftp://127.0.0.1/', /Only http and https/],
    'text in the URL itself': ['data:text/plain,hello', /Only http and https/],
    'what is no URL': ['http://[', /not a valid URL/],
  } as const
  for (const [what, [location, reason]] of Object.entries(forbidden)) {
    test(`but not to ${what}, at any hop`, async (t) => {
      const site = await startSite(t, (request, response) => {
        const hop = Number(request.url!.slice(1))
        response.writeHead(302, { location: hop === 3 ? location : `/${hop + 1}` }).end()
      })
      for (const hop of [3, 2, 0]) {
        await assert.rejects(fetchPage(`${site}/${hop}`, HERE), {
          status: 'error:download',
          mayPass: false,
          message: reason,
        })
      }
    })
  }

  test('but not for ever', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.writeHead(307, { location: '/' }).end()
    })
    await assert.rejects(fetchPage(site, HERE), {
      message: 'The page redirects more than 5 times.',
    })
  })
})

describe('a host name is resolved once', () => {
  test('and the connection goes to the address that was checked', async (t) => {
    const site = await startSite(t, (request, response) => response.end(request.headers.host))
    const { port } = new URL(site)
    const asked: string[] = []
    const resolve = async (hostname: string) => {
      asked.push(hostname)
      // A second lookup gets another address, where nothing listens.
      return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.9']
    }
    const page = await fetchPage(`http://rebinding.test.:${port}/`, { ...HERE, resolve })
    assert.equal(String(page.bytes), `rebinding.test.:${port}`)
    assert.deepEqual(asked, ['rebinding.test'])
  })

  test('again at every hop', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    const addresses = [['127.0.0.1'], ['10.0.0.1']]
    const resolve = async () => addresses.shift()!
    const url = `http://rebinding.test:${new URL(site).port}/`
    await assert.rejects(fetchPage(url, { ...HERE, resolve }), /private or reserved/)
  })

  test('and of several addresses those that may be reached are tried in turn', async (t) => {
    const site = await startSite(t, (_, response) => response.end('hello'))
    const resolve = async () => ['10.0.0.1', '::1', '127.0.0.1']
    const url = `http://several.test:${new URL(site).port}/`
    assert.equal(String((await fetchPage(url, { ...HERE, resolve })).bytes), 'hello')
    const guard = new ConnectionGuard({ allowPrivateHosts: ['::1', '127.0.0.1'] })
    const both = { guard, resolve }
    assert.equal(String((await fetchPage(url, both)).bytes), 'hello')
    const none = async () => ['10.0.0.1', '::1']
    await assert.rejects(fetchPage(url, { ...HERE, resolve: none }), /private or reserved/)
  })
})

test('a name and a password in a URL are never sent', async (t) => {
  const site = await startSite(t, ({ headers, url }, response) => {
    if (url === '/') response.writeHead(302, { location: `http://a:b@${headers.host}/end` }).end()
    else response.end(headers.authorization ?? 'nothing')
  })
  const page = await fetchPage(site.replace('//', '//user:secret@'), HERE)
  assert.equal(String(page.bytes), 'nothing')
  assert.equal(page.url, `${site}/end`)
})

describe('a page is taken', () => {
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const) {
    test(`when it is compressed with ${encoding}, but no larger than allowed`, async (t) => {
      const sizes: Record<string, number> = { '/fits': 1000, '/bomb': 30_000_000 }
      const site = await startSite(t, ({ url }, response) => {
        response.setHeader('content-encoding', encoding)
        response.end(compress(Buffer.alloc(sizes[url!]!, 'a')))
      })
      const options = { ...HERE, maxBytes: 1000 }
      assert.equal((await fetchPage(`${site}/fits`, options)).bytes.length, 1000)
      await assert.rejects(fetchPage(`${site}/bomb`, options), {
        status: 'error:download',
        mayPass: false,
        failure: { code: 'page_too_large', params: { megabytes: 1000 / 1024 / 1024 } },
      })
    })
  }

  test('no further than allowed when it never ends', async (t) => {
    const closed = Promise.withResolvers<void>()
    const site = await startSite(t, (_, response) => {
      const feed = () => {
        while (!response.destroyed && response.write('a'.repeat(10_000)));
      }
      response.on('drain', feed).on('close', closed.resolve)
      feed()
    })
    const failure = { code: 'page_too_large', params: { megabytes: 100_000 / 1024 / 1024 } }
    await assert.rejects(fetchPage(site, { ...HERE, maxBytes: 100_000 }), { failure })
    await closed.promise
  })

  test('with its type and encoding', async (t) => {
    const site = await startSite(t, ({ url }, response) => {
      if (url !== '/none') response.setHeader('content-type', 'Text/HTML; Charset="ISO-8859-2"')
      response.end('hello')
    })
    const { contentType, charset } = await fetchPage(site, HERE)
    assert.deepEqual([contentType, charset], ['text/html', 'ISO-8859-2'])
    assert.equal((await fetchPage(`${site}/none`, HERE)).contentType, '')
  })
})

describe('a fetch fails so that it may be tried again', () => {
  const OK = 'HTTP/1.1 200 OK\r\n'
  const failures: Record<string, [speak: (socket: Socket) => void, reason: RegExp]> = {
    'a site that never answers': [() => {}, /took too long/],
    'a page that never ends': [(socket) => socket.write(`${OK}\r\na`), /took too long/],
    'a page cut short': [(socket) => socket.end(`${OK}content-length: 9\r\n\r\na`), /connection/],
    'a compressed page cut short': [
      (socket) =>
        socket.end(
          Buffer.concat([
            Buffer.from(`${OK}content-encoding: gzip\r\n\r\n`),
            gzipSync('hello').subarray(0, 12),
          ]),
        ),
      /connection/,
    ],
    'a broken connection': [(socket) => socket.resetAndDestroy(), /connection/],
    'what is no HTTP': [(socket) => socket.end('hello\r\n\r\n'), /connection/],
    'another protocol': [
      (socket) => socket.write('HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      /connection/,
    ],
  }
  for (const [what, [speak, reason]] of Object.entries(failures)) {
    test(`on ${what}`, async (t) => {
      const site = await startRawSite(t, speak)
      const timeLimitMs = String(reason).includes('too long') ? 200 : 30_000
      await assert.rejects(fetchPage(site, { ...HERE, timeLimitMs }), {
        status: 'error:download',
        mayPass: true,
        message: reason,
      })
    })
  }

  test('and an odd encoding is only not understood', async (t) => {
    const site = await startRawSite(t, (socket) =>
      socket.end(`${OK}content-encoding: __proto__\r\n\r\nhello`),
    )
    assert.equal(String((await fetchPage(site, HERE)).bytes), 'hello')
  })
})

describe('what became of a URL source is told', () => {
  const ends: [what: string, respond: RequestListener, status: string, error: RegExp][] = [
    ['a missing page', (_, r) => r.writeHead(404).end('gone'), 'error:not found', /404/],
    ['a page that was removed', (_, r) => r.writeHead(410).end(), 'error:not found', /410/],
    ['a forbidden page', (_, r) => r.writeHead(403).end('no'), 'error:download', /403/],
    ['a redirect to nowhere', (_, r) => r.writeHead(302).end(), 'error:download', /302/],
    ['an empty page', (_, r) => r.end(), 'error:no text', /No text/],
    [
      'a page of scripts',
      (_, r) => r.setHeader('content-type', 'text/html').end('<script>a</script>'),
      'error:no text',
      /JavaScript/,
    ],
    [
      'a picture',
      (_, r) => r.setHeader('content-type', 'image/png').end(Buffer.from([0x89, 0, 1])),
      'error:content type',
      /image\/png/,
    ],
    [
      'a picture that is called a page',
      (_, r) => r.setHeader('content-type', 'text/html').end(Buffer.from([0x89, 0, 1])),
      'error:content type',
      /text\/html/,
    ],
    [
      'bytes of no type',
      (_, r) => r.end(Buffer.from([0, 1, 2])),
      'error:content type',
      /content type of the page is unknown/,
    ],
  ]
  for (const [what, respond, status, error] of ends) {
    test(`of ${what}, at the first attempt`, async (t) => {
      let visits = 0
      const url = await startSite(t, (request, response) => {
        visits += 1
        respond(request, response)
      })
      const source = await owner.settled(await createLink(url))
      assert.equal(source.status, status)
      assert.match(JSON.parse(source.meta_json).error, error)
      assert.equal(JSON.parse(source.meta_json).url, url)
      assert.equal(source.title, url)
      assert.equal(visits, 1)
    })
  }
})

/** Waits until a source is done, skips its back-offs and returns their lengths. */
async function hurry(uuid: string): Promise<number[]> {
  const pauses: number[] = []
  for (;;) {
    const { attempts, status, due_at, modified_at } = await services.db
      .selectFrom('sources')
      .selectAll()
      .where('id', '=', uuid)
      .executeTakeFirstOrThrow()
    if (due_at === null) return pauses
    if (status === 'await' && due_at > 1 && pauses.length < attempts) {
      pauses.push(due_at - modified_at)
      await services.db
        .updateTable('sources')
        .set({ due_at: 1 })
        .where('id', '=', uuid)
        .where('status', '=', 'await')
        .where('attempts', '=', attempts)
        .execute()
      services.sourceWakeSignal.wake()
    }
    await sleep(5)
  }
}

test('a site in trouble is tried three times, each time after a longer while', async (t) => {
  const visits: Record<string, number> = {}
  const site = await startSite(t, ({ url }, response) => {
    visits[url!] = (visits[url!] ?? 0) + 1
    if (url === '/reset') response.destroy()
    else if (url === '/recovers' && visits[url]! > 2) response.end('All is well again.')
    else response.writeHead(Number(url!.slice(1)) || 502).end()
  })
  const expected: [path: string, status: string, error: RegExp | undefined][] = [
    ['/429', 'error:download', /429/],
    ['/500', 'error:download', /500/],
    ['/503', 'error:download', /503/],
    ['/reset', 'error:download', /connection/],
    ['/recovers', 'success', undefined],
  ]
  for (const [path, status, error] of expected) {
    const uuid = await createLink(site + path)
    const pauses = await hurry(uuid)
    const source = await owner.settled(uuid)
    assert.equal(source.status, status, path)
    if (error) assert.match(JSON.parse(source.meta_json).error, error)
    else assert.equal(JSON.parse(source.meta_json).error, undefined)
    assert.equal(visits[path], 3)
    assert.ok(pauses.every((pause) => pause > 0))
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    )
  }
})
