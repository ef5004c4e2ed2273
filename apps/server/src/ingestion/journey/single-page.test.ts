import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page, startCrawling } from '../../../test/crawling.ts'
import { temporaryFolder } from '../../../test/harness.ts'
import { needsOpenssl } from '../../../test/machine/outside-tools.ts'

const refresh = (target: string, seconds = '0') =>
  `<!doctype html><meta http-equiv="Refresh" content="${seconds}; URL='${target}'"><p>This page has moved.</p>`

const errorOf = (source: { meta_json: string }) => JSON.parse(source.meta_json).error

suite('robots.txt counts for a single page, too', () => {
  test('one that it keeps from us is not asked for, by whatever way', async (t) => {
    const { site, read } = await startCrawling(t, {
      '/robots.txt': 'User-agent: *\nAllow: /\n\nUser-agent: Docent\nDisallow: /closed\n',
      '/closed': page('Closed', 'Nobody should read this.'),
      '/behind': { status: 302, headers: { location: '/closed?from=there' } },
      '/later': refresh('/closed'),
      '/closed?from=there': page('Closed', 'Nor this.'),
      '/open': page('Open', 'Anybody may read this.'),
      '/moved': { status: 301, headers: { location: '/open' } },
    })
    for (const path of ['/closed', '/behind', '/later']) {
      const source = await read(path)
      assert.equal(source.status, 'error:download', path)
      assert.match(
        errorOf(source),
        /robots\.txt does not allow this page to be read\. Add its text/,
      )
    }
    assert.deepEqual(
      site.requests.map(({ path }) => path).filter((path) => path.startsWith('/closed')),
      [],
    )
    for (const path of ['/open', '/moved']) assert.equal((await read(path)).status, 'success')
  })

  for (const status of [403, 404, 503]) {
    test(`one that can’t be had (${status}) keeps nobody out`, async (t) => {
      const { read } = await startCrawling(t, {
        '/robots.txt': { status },
        '/': page('Home', 'Anybody may read this.'),
      })
      assert.equal((await read('/')).status, 'success')
    })
  }
})

suite('a page that sends its readers on is followed', () => {
  test('to the page where they end up, which is cited', async (t) => {
    const { site, read, ask, owner, chatbot } = await startCrawling(t, {
      '/old': refresh('/older', '3'),
      '/older': { status: 302, headers: { location: '/oldest' } },
      '/oldest': refresh('new/home#top', '0.5'),
      '/new/home': page('New home', 'The new home of things has a garden.'),
    })
    const source = await read('/old')
    assert.equal(source.status, 'success', source.meta_json)
    assert.equal(source.title, 'New home')
    assert.equal(JSON.parse(source.meta_json).final_url, `${site.origin}/new/home`)
    assert.match((await ask('What has a garden?')).text, /new home of things/)
    const search = { query: 'garden' }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/search`, search)
    assert.equal(body[0].url, `${site.origin}/new/home`)
  })

  test('but not to anything private, and not for ever', async (t) => {
    const { site, read, crawl } = await startCrawling(t, {
      '/away': refresh('INTERNAL/latest/meta-data/'),
      '/metadata': refresh('http://169.254.169.254/latest/meta-data/'),
      '/loop/*': (path) => refresh(`/loop/${Number(path.slice(6)) + 1}`),
      '/round': refresh('/about'),
      '/about': refresh('/round'),
    })
    for (const path of ['/away', '/metadata']) {
      for (const source of [await read(path), await crawl({}, path)]) {
        assert.equal(source.status, 'error:download', path)
        assert.match(errorOf(source), /private or reserved/)
      }
    }
    site.requests.length = 0
    for (const path of ['/loop/0', '/round']) {
      assert.match(errorOf(await read(path)), /redirects without end/)
    }
    assert.ok(site.requests.length < 20)
    assert.deepEqual(site.inner, [])
  })

  test('unless it only loads itself again, waits long, or sends away those without scripts', async (t) => {
    const body = '<p>The news of the day, from all over the county.</p>'
    const { read } = await startCrawling(t, {
      '/itself': `<meta http-equiv=refresh content="5"><meta http-equiv=refresh content="5;url=/itself">${body}`,
      '/later': `<meta http-equiv=refresh content="600;url=/nowhere">${body}`,
      '/noscript': `<noscript><meta http-equiv=refresh content="0;url=/nowhere"></noscript>${body}`,
      '/mail': `<meta http-equiv=refresh content="0;url=mailto:a@example.org">${body}`,
    })
    for (const path of ['/itself', '/later', '/noscript', '/mail']) {
      assert.equal((await read(path)).status, 'success', path)
    }
  })
})

suite('a site that asks for patience', () => {
  test('gets it: the page waits for as long as it says, and tells why', async (t) => {
    let busy = true
    const { owner, chatbot, site, services } = await startCrawling(t, {
      '/': () =>
        busy
          ? { status: 429, headers: { 'retry-after': '90' } }
          : page('Home', 'Now there is time for you.'),
    })
    const url = `${site.origin}/`
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, { url })
    const stored = () => services.db.selectFrom('sources').selectAll().executeTakeFirstOrThrow()
    while ((await stored()).attempts === 0 || (await stored()).status !== 'await') await sleep(10)
    const { due_at, modified_at, meta } = await stored()
    assert.ok(due_at! - modified_at >= 89_000 && due_at! - modified_at <= 91_000)
    assert.match(
      JSON.parse(meta).waiting,
      /limits how often it can be requested \(429\)\. Next attempt in 90 sec/,
    )

    busy = false
    await services.db.updateTable('sources').set({ due_at: Date.now() }).execute()
    services.sourceWakeSignal.wake()
    const source = await owner.settled(body.uuid)
    assert.equal(source.status, 'success')
    assert.equal(JSON.parse(source.meta_json).waiting, undefined)
  })

  test('for longer than anybody would wait is told of at once', async (t) => {
    const later = new Date(Date.now() + 7_200_000).toUTCString()
    const { site, read } = await startCrawling(t, {
      '/': { status: 503, headers: { 'retry-after': later } },
    })
    const source = await read('/')
    assert.equal(source.status, 'error:download')
    assert.match(errorOf(source), /\(503\)\. The site asks for the next attempt in 1\d\d minutes\./)
    const { error_code, error_params } = JSON.parse(source.meta_json)
    assert.equal(error_code, 'site_trouble')
    assert.equal(error_params.status, 503)
    assert.ok(error_params.again_seconds > 7_000 && error_params.again_seconds <= 7_200)
    assert.equal(site.requests.filter(({ path }) => path === '/').length, 1)
  })
})

test('a certificate that nobody can trust is told of', needsOpenssl(), async (t) => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(temporaryFolder(t), name))
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1']
  assert.equal(spawnSync('openssl', [...options, '-keyout', key!, '-out', cert!]).status, 0)
  const keys = { key: readFileSync(key!), cert: readFileSync(cert!) }
  const site = createServer(keys, (_, response) => response.end('Hello.')).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => site.close())
  const { read } = await startCrawling(t, {})
  const source = await read(`https://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  assert.equal(source.status, 'error:download')
  assert.match(errorOf(source), /^The site’s certificate is not valid \([A-Z_]+CERT[A-Z_]*\)\. /)
})

test('a port that is no web server’s is refused', async (t) => {
  const { read } = await startCrawling(t, {})
  for (const port of [22, 25, 6667]) {
    assert.match(errorOf(await read(`http://127.0.0.1:${port}/`)), /not a port of web servers/)
  }
})

suite('a single page that asks not to be found', () => {
  test('in its own words or in the header that it is sent with, is refused and says why', async (t) => {
    const text = page('Quiet', 'Do not list me.')
    const sent = (tag: string) => ({ headers: { 'x-robots-tag': tag }, body: text })
    const { read } = await startCrawling(t, {
      '/meta': `<meta name="robots" content="noindex">${text}`,
      '/header': sent('noindex'),
      '/none': sent('unavailable_after: 25 Jun 2010 15:00:00 PST, none'),
      '/ours': sent('otherbot: nofollow, docent: noindex'),
      '/theirs': sent('otherbot: noindex, none'),
      '/preview': sent('max-snippet: 20, noarchive'),
    })
    for (const path of ['/meta', '/header', '/none', '/ours']) {
      const source = await read(path)
      assert.equal(source.status, 'error:download', path)
      assert.match(errorOf(source), /asks not to be indexed .*Add its text/)
    }
    for (const path of ['/theirs', '/preview'])
      assert.equal((await read(path)).status, 'success', path)
  })
})
