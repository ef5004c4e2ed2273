import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { page, type Reply, startCrawling } from '../../../test/crawling.ts'
import { refuseSignInToSite, rejectPageWithoutLinks } from './moved-site.ts'

const FORM = '<form><input name=user><input type=" Password " name=secret></form>'
const signIn = (...links: string[]) => page('Sign in', 'Who are you?', ...links) + FORM
const to = (location: string): Reply => ({ status: 302, headers: { location } })
const errorOf = (source: { meta_json: string }) => JSON.parse(source.meta_json).error

const HOUSE = {
  '/': page('Home', 'Welcome to the house.', '/hours', '/imprint', '/login'),
  '/hours': page('Hours', 'The house is open from 9 to 17.', '/deep'),
  '/deep': page('Deep', 'The cellar is damp.'),
  '/imprint': page('Imprint', 'The house belongs to the town.'),
  '/login': signIn('/', '/imprint'),
}
const ALL = ['/', '/deep', '/hours', '/imprint', '/login']

suite('a site whose start leads to a sign-in page now', () => {
  test('has failed, keeps all of its pages, and is read when it is open again', async (t) => {
    const { site, crawl, again, stored, ask } = await startCrawling(t, { ...HOUSE })
    const { uuid } = await crawl()
    assert.deepEqual(await stored(), ALL)
    for (const path of ['/', '/hours', '/deep']) site.pages[path] = to('/login?next=secret')
    site.pages['/login?next=secret'] = HOUSE['/login']
    const failed = await again(uuid)
    assert.equal(failed.status, 'error:download')
    assert.match(
      errorOf(failed),
      /^The site now redirects to a sign-in page \(http:\S+\/login\)\. /,
    )
    assert.deepEqual(
      site.requests.map(({ path }) => path),
      ['/robots.txt', '/', '/login?next=secret'],
    )
    assert.deepEqual(await stored(), ALL)
    assert.match((await ask('When is the house open?')).text, /from 9 to 17/)

    Object.assign(site.pages, HOUSE)
    const back = await again(uuid)
    assert.equal(back.status, 'success')
    assert.equal(JSON.parse(back.meta_json).progress.unchanged, 5)
    assert.deepEqual(await stored(), ALL)
  })

  test('also where that was one of its pages', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, { ...HOUSE })
    const { uuid } = await crawl()
    site.pages['/'] = to('/login')
    assert.match(errorOf(await again(uuid)), /sign-in page/)
    assert.deepEqual(await stored(), ALL)
  })

  for (const [what, path, reply] of [
    ['by its name alone', '/oauth2/v2.0/authorize', page('', 'One moment.', '/', '/help')],
    ['by its form alone', '/welcome', signIn('/', '/help')],
  ] as const) {
    test(`known ${what}, if it leads to none of the pages`, async (t) => {
      const { site, crawl, again, stored } = await startCrawling(t, { ...HOUSE })
      const { uuid } = await crawl()
      site.pages['/'] = to(path)
      site.pages[path] = reply
      assert.match(errorOf(await again(uuid)), /sign-in page/)
      assert.deepEqual(await stored(), ALL)
      site.pages[path] = reply + page('', 'Come in.', '/hours')
      assert.equal((await again(uuid)).status, 'success')
      assert.deepEqual(await stored(), ['/deep', '/hours', path])
    })
  }
})

suite('a site is read as ever', () => {
  test('that has moved, with a field for a password beside its pages', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, { ...HOUSE })
    const { uuid } = await crawl()
    site.pages['/'] = { status: 301, headers: { location: '/new/' } }
    site.pages['/new/'] = page('Home', 'Welcome.', '/new/hours', '/hours') + FORM
    site.pages['/new/hours'] = page('Hours', 'The new house is open all day.')
    assert.equal((await again(uuid)).status, 'success')
    assert.deepEqual(await stored(), ['/deep', '/hours', '/new/', '/new/hours'])
  })

  test('that has always begun with a sign-in page', async (t) => {
    const { crawl, again, stored } = await startCrawling(t, {
      '/': to('/login'),
      '/login': signIn('/help'),
      '/help': page('Help', 'Ask at the desk.'),
    })
    const { uuid } = await crawl()
    assert.equal((await again(uuid)).status, 'success')
    assert.deepEqual(await stored(), ['/help', '/login'])
  })

  test('that is about signing in, and has a new version', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, {
      '/oauth2/': to('/1.0/oauth2/'),
      '/1.0/oauth2/': page('OAuth', 'How programs sign in.', '/1.0/oauth2/tokens'),
      '/1.0/oauth2/tokens': page('Tokens', 'Tokens last for an hour.'),
    })
    const { uuid } = await crawl({}, '/oauth2/')
    site.pages['/oauth2/'] = to('/2.0/oauth2/')
    site.pages['/2.0/oauth2/'] = page('OAuth', 'How they do now.', '/2.0/oauth2/tokens')
    site.pages['/2.0/oauth2/tokens'] = page('Tokens', 'Tokens last for a day.')
    assert.equal((await again(uuid)).status, 'success')
    assert.deepEqual(await stored(), ['/2.0/oauth2/', '/2.0/oauth2/tokens'])
  })

  test('that is one page, and has moved', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, { '/': page('Home', 'Hello.') })
    const { uuid } = await crawl()
    site.pages['/'] = to('/new')
    site.pages['/new'] = page('New', 'Hello again.')
    assert.equal((await again(uuid)).status, 'success')
    assert.deepEqual(await stored(), ['/new'])
  })
})

test('a site whose start leads to a page without a way on keeps its pages, unless its sitemap knows them', async (t) => {
  const { site, crawl, again, stored } = await startCrawling(t, { ...HOUSE })
  const { uuid } = await crawl()
  site.pages['/'] = to('/parked')
  site.pages['/parked'] = page('Parked', 'Back soon.', '/', 'https://example.org/')
  const failed = await again(uuid)
  assert.equal(failed.status, 'error:download')
  assert.match(
    errorOf(failed),
    /^The site now redirects to a page without links \(http:\S+\/parked\)\. /,
  )
  assert.deepEqual(await stored(), ALL)
  site.pages['/sitemap.xml'] = `${site.origin}/hours`
  assert.equal((await again(uuid)).status, 'success')
  assert.deepEqual(await stored(), ['/deep', '/hours', '/parked'])
})

test('a single page that leads to a sign-in page now keeps its text, and one that has moved is read', async (t) => {
  const { site, read, again, ask } = await startCrawling(t, {
    '/hours': HOUSE['/hours'],
    '/login': signIn(),
    '/new': page('Hours', 'The house is open all day.') + FORM,
  })
  const { uuid } = await read('/hours')
  site.pages['/hours'] = to('/login')
  assert.match(errorOf(await again(uuid)), /sign-in page/)
  assert.match((await ask('When is the house open?')).text, /from 9 to 17/)
  site.pages['/hours'] = to('/new')
  assert.equal((await again(uuid)).status, 'success')
  assert.match((await ask('When is the house open?')).text, /all day/)
})

test('another host is a sign-in page, a dead end or the new place of a site by what it leads to', () => {
  const before = 'https://old.example/'
  const pages = [before, 'https://old.example/hours', 'https://old.example/find?id=1']
  const nothing = { canonical: undefined, refresh: undefined, noindex: false, scripted: false }
  const way = (url: string, links: string[], asksPassword = false) => ({
    before,
    url,
    leads: { ...nothing, links, asksPassword },
  })
  const form = way('https://accounts.example/', ['https://old.example/'], true)
  assert.throws(() => refuseSignInToSite(form, pages), /sign-in page \(https:\/\/accounts/)
  const moved = way('https://new.example/', ['https://new.example/find?id=1'], true)
  refuseSignInToSite(moved, pages)
  rejectPageWithoutLinks(moved)
  const parked = way('https://parking.example/', ['https://seller.example/', before])
  refuseSignInToSite(parked, pages)
  assert.throws(() => rejectPageWithoutLinks(parked), /page without links \(https:\/\/parking/)
})
