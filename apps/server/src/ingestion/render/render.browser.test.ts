import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { type Pages, page, startCrawling } from '../../../test/crawling.ts'
import { temporaryFolder, until } from '../../../test/harness.ts'
import { CHROMIUM, DESKTOP_CHROMIUM, needsChromium } from '../../../test/machine/outside-tools.ts'
import { readConfig } from '../../config.ts'
import { parseRobots } from '../crawl/robots.ts'
import { ConnectionGuard } from '../fetch/connection-guard.ts'
import { PageRenderer } from './render-page.ts'

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body })

/** A page that is empty before its script has run. */
const shell = (name: string) =>
  `<!doctype html><title>App</title><div id="root">Loading…</div><script src="/${name}"></script>`

const show = (html: string) => `document.getElementById('root').innerHTML = ${JSON.stringify(html)}`

function startRendering(t: TestContext, pages: Pages, browser = CHROMIUM) {
  return startCrawling(t, pages, { CHROMIUM_PATH: browser })
}

/** A private service on this machine that records every TCP connection and UDP packet. */
async function startSecretService(t: TestContext) {
  const visits: string[] = []
  const tcp = createServer((socket) => {
    visits.push('tcp')
    socket.on('error', () => {}).end('secret')
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4', () => visits.push('udp')).bind(port, '127.0.0.1')
  await once(udp, 'listening')
  t.after(() => {
    tcp.close()
    udp.close()
  })
  return { port, visits }
}

suite('a page that is empty without its scripts', needsChromium(), () => {
  test('is read as they build it, with what they fetch', async (t) => {
    const { site, read, ask } = await startRendering(t, {
      '/': shell('app.js'),
      '/app.js': script(`setTimeout(async () => {
        const moved = await (await fetch('/moved')).text()
        const posted = await (await fetch('/ask', { method: 'POST', body: 'herons' })).text()
        document.title = 'The pond'
        root.innerHTML = '<main><h1>The pond</h1><p>' + moved + '</p><p>' + posted + '</p></main>'
      }, 1500)`),
      '/moved': { status: 302, headers: { location: '/herons.txt' } },
      '/herons.txt': 'Herons stand on one leg until the frogs forget about them.',
      '/ask': 'Herons answer nobody.',
    })
    const source = await read('/')
    assert.equal(source.status, 'success', source.meta_json)
    assert.equal(source.title, 'The pond')
    assert.match((await ask('Where do herons stand?')).text, /Herons stand on one leg/)
    const documents = site.requests.filter(({ path }) => path === '/')
    assert.equal(documents.length, 1, 'the page itself is fetched once')
  })

  test('leads on where its scripts send their readers, as far as that is allowed', async (t) => {
    const { site, read } = await startRendering(t, {
      '/robots.txt': 'User-agent: *\nDisallow: /closed',
      '/': shell('home.js'),
      '/home.js': script('location.href = "/home#top"'),
      '/home': page('Home', 'Here is where everybody ends up.'),
      '/way-in': shell('in.js'),
      '/in.js': script('location.replace("/closed")'),
      '/closed': page('Closed', 'Nobody should read this.'),
      '/way-out': shell('out.js'),
      '/out.js': script('location.replace("INTERNAL/secret")'),
      '/peek': shell('peek.js'),
      '/peek.js': script(`fetch('/closed').finally(() => { ${show('')} })`),
    })
    const home = await read('/')
    assert.equal(home.status, 'success', home.meta_json)
    assert.equal(JSON.parse(home.meta_json).final_url, `${site.origin}/home`)
    assert.match(JSON.parse((await read('/way-in')).meta_json).error, /robots\.txt/)
    assert.match(JSON.parse((await read('/way-out')).meta_json).error, /private or reserved/)
    await read('/peek')
    assert.ok(!site.requests.some(({ path }) => path === '/closed'))
    assert.deepEqual(site.inner, [])
  })

  for (const browser of [CHROMIUM, DESKTOP_CHROMIUM]) {
    test(
      `reaches nothing private by any means that scripts have (${basename(browser)})`,
      needsChromium(browser),
      async (t) => {
        const { port, visits } = await startSecretService(t)
        const there = `127.0.0.1:${port}`
        const ways = [
          'fetch("http://169.254.169.254/latest/meta-data/").catch(tell("metadata"))',
          `fetch("http://${there}/fetch").catch(tell("fetch"))`,
          `fetch("http://localhost:${port}/name").catch(tell("name"))`,
          'fetch("/redirect").catch(tell("redirect"))',
          `new WebSocket("ws://${there}/socket").onerror = tell("socket")`,
          `new EventSource("http://${there}/events").onerror = tell("events")`,
          `new Worker(URL.createObjectURL(new Blob(['fetch("http://${there}/").catch(() => postMessage(1))'])))
        .onmessage = tell("worker")`,
          `new WebTransport("https://${there}/").ready.catch(tell("transport"))`,
          `navigator.sendBeacon("http://${there}/beacon", "x")`,
          `open("http://${there}/window")`,
          `for (const rel of ["preconnect", "dns-prefetch", "prefetch", "preload", "prerender"])
        document.head.append(Object.assign(document.createElement("link"), { rel, as: "script", href: "http://${there}/" }))`,
          `document.body.append(Object.assign(document.createElement("iframe"), { src: "http://${there}/frame" }))`,
          `document.body.append(Object.assign(document.createElement("img"), { src: "http://${there}/picture" }))`,
          `const call = new RTCPeerConnection({ iceServers: [{ urls: "stun:${there}" },
        { urls: "turn:${there}?transport=tcp", username: "a", credential: "b" }] })
      call.createDataChannel("x")
      call.createOffer().then((offer) => call.setLocalDescription(offer))`,
        ]
        const { read, ask, site } = await startRendering(
          t,
          {
            '/': shell('app.js'),
            '/redirect': { status: 302, headers: { location: `http://${there}/redirected` } },
            '/app.js': script(`
        const refused = new Set()
        const tell = (way) => () => {
          refused.add(way)
          root.textContent = 'Refused were ' + [...refused].sort().join(', ') + '.'
        }
        ${ways.map((way) => `try { ${way} } catch (error) { tell(String(error))() }`).join('\n')}`),
          },
          browser,
        )
        const source = await read('/')
        assert.equal(source.status, 'success', source.meta_json)
        // Every attempt was made, and this browser supports all of them.
        assert.match(
          (await ask('What were refused?')).text,
          /Refused were events, fetch, metadata, name, redirect, socket, transport, worker\./,
        )
        assert.ok(site.requests.some(({ path }) => path === '/redirect'))
        assert.deepEqual(visits, [])
      },
    )
  }

  test('is a page of a site like any other, and is rendered again by the next crawl', async (t) => {
    const { site, crawl, again, stored, ask } = await startRendering(t, {
      '/': shell('home.js'),
      '/home.js': script(show('<p>The zoo opens at nine.</p><a href="/lions">Lions</a>')),
      '/lions': shell('lions.js'),
      '/lions.js': script(show('<p>The lions sleep at noon.</p>')),
    })
    const { uuid } = await crawl()
    assert.deepEqual(await stored(), ['/', '/lions'])
    site.pages['/lions.js'] = script(show('<p>The lions dance at noon.</p>'))
    const { progress } = JSON.parse((await again(uuid)).meta_json)
    assert.deepEqual([progress.indexed, progress.unchanged], [1, 1])
    assert.match((await ask('What do the lions do at noon?')).text, /lions dance/)
  })

  test('is rendered again although it has not changed, when its scripts showed nothing', async (t) => {
    const { site, read, again, ask } = await startRendering(t, {
      '/': shell('app.js'),
      '/app.js': script('throw new Error("not now")'),
    })
    const { uuid, status } = await read('/')
    assert.equal(status, 'success')
    site.pages['/app.js'] = script(show('<p>The zoo opens at nine.</p>'))
    await again(uuid)
    assert.match((await ask('When does the zoo open?')).text, /at nine/)
  })

  test('is no new start of a site if it leads to no other page, or asks for a password', async (t) => {
    const home = page('Home', 'Welcome to the zoo.', '/lions')
    const { site, crawl, again, stored } = await startRendering(t, {
      '/': home,
      '/lions': page('Lions', 'The lions sleep at noon.'),
      '/new': shell('new.js'),
      '/help': page('Help', 'Ask at the desk.'),
    })
    const { uuid } = await crawl()
    site.pages['/'] = { status: 302, headers: { location: '/new' } }
    for (const [html, reason] of [
      ['<p>This name is for sale.</p>', /^The site now redirects to a page without links/],
      [
        '<input type=password><a href="/help">Help with your password</a>',
        /^The site now redirects to a sign-in page/,
      ],
    ] as const) {
      site.pages['/new.js'] = script(show(html))
      assert.match(JSON.parse((await again(uuid)).meta_json).error, reason)
      assert.deepEqual(await stored(), ['/', '/lions'])
    }
    site.pages['/new.js'] = script(show('<p>The new zoo.</p><a href="/lions">Lions</a>'))
    assert.equal((await again(uuid)).status, 'success')
    assert.deepEqual(await stored(), ['/lions', '/new'])
  })

  test('says so where they show nothing, either', async (t) => {
    const { read } = await startRendering(t, {
      '/': '<!doctype html><div id="root"></div><script>alert("hello"); confirm("sure?")</script>',
    })
    const source = await read('/')
    assert.equal(source.status, 'error:no text')
    assert.match(JSON.parse(source.meta_json).error, /even after its scripts have run/)
  })
})

suite('a page whose scripts are hostile ends', needsChromium(), () => {
  const folder = temporaryFolder({ after })
  const render = async (scripts: string, limits: object) => {
    const bytes = Buffer.from(`<!doctype html><body><script>${scripts}</script>`)
    const fetched = { contentType: 'text/html', charset: 'utf-8', etag: '', last_modified: '' }
    const url = 'http://site.test/'
    const options = {
      guard: new ConnectionGuard({ allowPrivateHosts: [] }),
      robots: parseRobots(''),
    }
    const robotsTag = { noindex: false, nofollow: false }
    const renderer = new PageRenderer(CHROMIUM, limits, folder)
    return renderer.render({ ...fetched, url, bytes, robotsTag, unchanged: false }, options)
  }

  test('when it never comes to an end', async () => {
    await assert.rejects(render('for (;;);', { totalMs: 3_000, settleMs: 1_000 }), {
      status: 'error:no text',
      message: /scripts take too long/,
    })
  })

  test('when it takes too much memory', async () => {
    const greedy = 'const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))'
    await assert.rejects(render(greedy, { memoryMb: 600 }), /too much memory/)
  })

  test('when its clock goes on for ever, with what it shows by then', async () => {
    const endless = `setInterval(() => { document.body.textContent += 'tick ' }, 100)`
    const rendered = await render(endless, {})
    assert.ok('found' in rendered)
    assert.match(rendered.found, /tick tick tick/)
  })

  test('and leaves neither process nor folder behind', async () => {
    assert.deepEqual(readdirSync(folder), [])
    // A killed process takes a moment to disappear.
    await until(() => {
      const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      assert.match(stdout, /render\.browser\.test\.ts/)
      return stdout.includes(folder) ? undefined : true
    })
  })
})

test('the browser is the one that is named, else one on the PATH, else none', (t) => {
  const [first, second] = [temporaryFolder(t), temporaryFolder(t)]
  const browser = join(second, 'chromium-browser')
  writeFileSync(join(first, 'chromium'), 'not a program')
  writeFileSync(browser, '#!/bin/sh\n', { mode: 0o755 })
  const PATH = `${first}:${second}`
  assert.equal(readConfig({ PATH }).chromiumPath, browser)
  assert.equal(readConfig({ PATH, CHROMIUM_PATH: process.execPath }).chromiumPath, process.execPath)
  assert.equal(readConfig({ PATH, CHROMIUM_PATH: 'off' }).chromiumPath, undefined)
  assert.equal(readConfig({ PATH: first }).chromiumPath, undefined)
})

test('a browser that does not work is no reason to wait for ever', async (t) => {
  const broken = join(temporaryFolder(t), 'chromium')
  writeFileSync(broken, '#!/bin/sh\necho "no such library" >&2\nexit 127\n', { mode: 0o755 })
  const { crawl } = await startCrawling(
    t,
    {
      '/': page('Home', 'Start.', '/app'),
      '/app': shell('app.js'),
    },
    { CHROMIUM_PATH: broken },
  )
  const { page_errors } = JSON.parse((await crawl()).meta_json)
  assert.match(page_errors[0].error, /the browser on this server failed/)
})
