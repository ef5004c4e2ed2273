import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePdf } from '../../../test/files/make-pdf.ts'
import { NO_MEANING, startSite } from '../../../test/harness.ts'
import { DRIVING, type Remote, runInTerminal, startRemote } from '../../../test/remote-docent.ts'

const FAQ = 'question,answer\nWhen are you open?,"Daily from 9 to 17, also on Sundays."\n'

async function stage(t: TestContext, environment: NodeJS.ProcessEnv = {}) {
  const remote = await startRemote(t, { environment: { ...NO_MEANING, ...environment } })
  const chatbot = await remote.server.owner.createChatbot({ name: 'Guide', show_citations: true })
  const write = (name: string, content: string | Uint8Array) => {
    const file = join(remote.folder, name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(`${file}~`, content)
    renameSync(`${file}~`, file)
    return file
  }
  return { ...remote, remote, chatbot, write, titles: () => titlesOf(remote, chatbot) }
}

/** Waits longer than the harness, because these tests start many processes on a machine that may be busy. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const started = Date.now(); Date.now() - started < 120_000; await sleep(20)) {
    if (await isTrue()) return
  }
  throw new Error('It never came true')
}

async function titlesOf({ server }: Remote, chatbot: string): Promise<string[]> {
  const { body } = await server.owner.json('GET', `/chatbot/${chatbot}/data-sources`)
  return body.map(({ title, status }: { title: string; status: string }) =>
    status === 'success' ? title : `${title} (${status})`,
  )
}

suite('docent source add', () => {
  test('takes folders, files, pages and pairs, each once', async (t) => {
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Your visit</title><h1>Your visit</h1><p>Take the lift to floor 3.</p>')
    })
    const { run, write, titles } = await stage(t, { ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
    write('docs/tickets.md', '# Tickets\n\nA ticket costs 12 euros.\n')
    write('docs/deep/handbook.pdf', makePdf([[[72, 700, 'The cloakroom is free of charge.']]]))
    write('docs/.hidden.md', 'Nobody should see this.')
    write('docs/node_modules/x.md', 'Nor this.')
    write('docs/empty.md', '')
    write(
      'docs/picture.bin',
      Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 256),
    )
    write('faq.csv', FAQ)
    const add = ['source', 'add', 'docs', 'faq.csv', `${site}/visit`]
    const first = await run(add)
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^(?=.*4 added)(?=.*1 passed over)/)
    assert.match(first.stderr, /^added +docs\/tickets\.md \(\d+ tokens\)$/m)
    assert.match(first.stderr, /^skipped {4}docs\/picture\.bin/m)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    assert.doesNotMatch(first.stderr, /\u001b/, 'lines, where nothing can be drawn over')
    assert.equal((await titles()).length, 4)

    const again = await run([...add, '--json'])
    const outcomes = JSON.parse(again.stdout)
    assert.equal(outcomes.filter(({ type }: { type: string }) => type === 'unchanged').length, 4)
    assert.equal((await titles()).length, 4)
    const answer = await run(['chat', 'What does the cloakroom cost?'])
    assert.match(answer.stdout, /free of charge/)
    assert.match(answer.stdout, /page 1/)
  })

  test('replaces what has changed, when the new one can be found', async (t) => {
    const { run, write, titles, server, chatbot } = await stage(t)
    write('docs/tickets.md', '# Tickets\n\nA ticket costs 12 euros.\n')
    write('faq.csv', FAQ)
    await run(['source', 'add', 'docs', 'faq.csv'])
    write('docs/tickets.md', '# Tickets\n\nA ticket costs 14 euros.\n')
    write('faq.csv', FAQ.replace('17', '18'))
    const { stdout } = await run(['source', 'add', 'docs', 'faq.csv'])
    assert.equal(stdout, '2 replaced\n')
    assert.deepEqual((await titles()).sort(), ['Tickets', 'When are you open?'])
    const { body } = await server.owner.json('POST', `/chatbot/${chatbot}/search`, {
      query: 'ticket price, opening hours',
    })
    const found = body.map(({ text }: { text: string }) => text).join(' ')
    assert.match(found, /14 euros/)
    assert.match(found, /9 to 18/)
    assert.doesNotMatch(found, /12 euros|9 to 17/)
  })

  test('says what is wrong with a file, goes on with the others, and tries again when asked again', async (t) => {
    const { run, write, titles } = await stage(t)
    write('docs/a.md', 'The lantern was made in 1820.')
    write('broken.pdf', '%PDF-1.7\nnothing of a PDF')
    const { code, stderr } = await run(['source', 'add', 'broken.pdf', 'docs'])
    assert.equal(code, 1)
    assert.match(stderr, /^FAILED +broken\.pdf: \S/m)
    assert.match(stderr, /^added +docs\/a\.md/m)
    assert.equal((await run(['source', 'add', 'broken.pdf'])).code, 1)
    assert.equal((await titles()).length, 2, 'the same source was read again')
    const failed = await run(['source', 'list'])
    assert.match(failed.stdout, /upload {2}(fail|error:[a-z ]+)/)
    assert.equal((await run(['source', 'retry', '--failed'])).code, 0)
    assert.equal((await run(['source', 'delete', '--failed', '--yes'])).code, 0)
    await until(async () => (await titles()).length === 1)
  })

  test('says of a page that failed what it answers with, and when it is tried next', async (t) => {
    const { run, titles } = await stage(t, { ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
    let isOpen = true
    const site = await startSite(t, (_request, response) => {
      response.writeHead(isOpen ? 200 : 403).end('The lantern was made in 1820.')
    })
    assert.equal((await run(['source', 'add', `${site}/`, '--refresh', '5'])).code, 0)
    assert.doesNotMatch((await run(['source', 'list'])).stdout, /Next attempt/)
    isOpen = false
    assert.equal((await run(['source', 'add', `${site}/once`])).code, 1)
    assert.equal((await run(['source', 'retry', `${site}/`])).code, 0)
    await until(async () => !(await titles()).includes(`${site}/`))
    const { stdout } = await run(['source', 'list'])
    const minute = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/.source
    assert.match(
      stdout,
      new RegExp(
        `\\(403\\)\\. Answers use the version from ${minute}\\. Next attempt: ${minute}\\.$`,
        'm',
      ),
    )
    assert.match(stdout, /\(403\)\.$/m)
  })

  test('refuses what is not there, is damaged, or too large', async (t) => {
    const { run, write, titles } = await stage(t, { MAX_UPLOAD_MB: '1' })
    write('open.csv', 'question,answer\nWhen?,"Daily from 9\nWhere?,Here.\n')
    write('uneven.csv', 'question,answer\nWhen?,Daily,always\n')
    write('holes.csv', 'question,answer\nWhen?,\n')
    write('huge.txt', 'x'.repeat(1_100_000))
    for (const [exit, args, message] of [
      [2, [], /Give files, folders or URLs/],
      [2, ['nothing'], /There is no file or folder nothing/],
      [2, ['open.csv'], /open\.csv is damaged: a quotation mark is not closed/],
      [2, ['uneven.csv'], /uneven\.csv is damaged: row 2 has 3 cells, but the first row has 2/],
      [2, ['holes.csv'], /holes\.csv: row 2 has no answer/],
      [
        2,
        ['huge.txt', '--refresh', 'daily', 'https://example.org'],
        /--refresh must be a whole number/,
      ],
      [2, ['huge.txt', '--bot', 'Nobody'], /There is no chatbot "Nobody"/],
      [1, ['huge.txt'], /FAILED +huge\.txt: .*1 MB/],
      [1, ['http://127.0.0.1:9/'], /FAILED +http:/],
    ] as const) {
      const { code, stderr } = await run(['source', 'add', ...args])
      assert.match(stderr, message)
      assert.equal(code, exit, args.join(' '))
    }
    assert.equal((await titles()).length, 1, 'the address alone was stored')
    assert.equal((await run(['source', 'add', 'open.csv', '--csv-as-file'])).code, 0)
  })

  test('draws bars in a terminal', async (t) => {
    const { remote, write } = await stage(t, { EMBEDDER: 'built-in' })
    // Large enough for its progress to be visible.
    write('docs/a.md', 'The lantern was made in 1820. '.repeat(8_000))
    const output = await runInTerminal(remote, ['source', 'add', 'docs'])
    assert.match(output, /[█░]{20} +\d+% {2}docs\/a\.md {2}\w+/)
    assert.match(output, /added +docs\/a\.md/)
  })

  test('shows titles without what could drive a terminal', async (t) => {
    const { run, server, chatbot } = await stage(t)
    await server.owner.createPair(chatbot, 'When \u001b[2Jis it open?', 'Daily from 9 to 17.')
    for (const args of [
      ['source', 'list'],
      ['chat', 'When is it open?'],
    ]) {
      const { stdout } = await run(args)
      assert.match(stdout, /When \[2Jis it open\?/)
    }
  })

  test('deletes and asks without what could fill the clipboard', async (t) => {
    const { run, remote, server, chatbot } = await stage(t)
    const title = 'Fees \u001b]52;c;cm0gLXJm\u0007\u009b2J'
    const uuid = await server.owner.createPair(chatbot, title, 'None.')
    const shown = /"Fees \]52;c;cm0gLXJm\\u009b2J"/
    const asked = await runInTerminal(remote, ['source', 'delete', uuid], [[/\[y\/N\]/, 'n\r']])
    assert.match(asked, shown)
    assert.doesNotMatch(asked, DRIVING)
    const refused = await run(['source', 'delete', uuid])
    assert.match(refused.stderr, shown)
    assert.doesNotMatch(refused.stderr, DRIVING)
    const { stdout } = await run(['source', 'list', '--json'])
    assert.doesNotMatch(stdout, DRIVING)
    assert.equal(JSON.parse(stdout)[0].title, title, 'nothing is lost for programs')
  })
})

suite('docent source add, killed and twice at once', () => {
  test('sent again after a kill, nothing is there twice', async (t) => {
    const { run, start, write, titles } = await stage(t)
    for (let i = 0; i < 8; i++) write(`docs/${i}.md`, `# Lantern ${i}\n\nIt was made in 18${i}0.\n`)
    write('faq.csv', FAQ)
    for (const seen of [1, 3]) {
      const running = start(['source', 'add', 'docs', 'faq.csv'])
      await until(async () => (await titles()).length >= seen || running.process.exitCode !== null)
      running.process.kill('SIGKILL')
      await running.ended
    }
    const { code, stderr } = await run(['source', 'add', 'docs', 'faq.csv'])
    assert.equal(code, 0, stderr)
    assert.equal(new Set(await titles()).size, 9)
    assert.equal((await titles()).length, 9)
  })

  test('a second one on the same chatbot is refused', async (t) => {
    const { run, start, write } = await stage(t)
    write('docs/a.md', 'The lantern was made in 1820.')
    const running = start(['source', 'add', 'docs', '--watch'])
    await running.says(/Watching/)
    const { code, stderr } = await run(['source', 'add', 'docs'])
    assert.equal(code, 2)
    assert.match(stderr, /Another "docent source add" is running for this chatbot/)
    running.process.kill('SIGINT')
    assert.equal((await running.ended).code, 0)
  })
})

suite('docent source add, stopped by Ctrl-C', () => {
  test('ends at once in the middle of a file, which is sent when it is called again', async (t) => {
    const { run, start, write, titles, server } = await stage(t)
    write('large.txt', 'The lantern was made in 1820. '.repeat(1_000_000))
    const reached = Promise.withResolvers<IncomingMessage>()
    const cutOff = Promise.withResolvers<void>()
    // Reads the first bytes of a file and then stalls, like a slow connection.
    const slow = await startSite(t, (request, response) => {
      if (request.url?.endsWith('/upload')) {
        request.once('readable', () => reached.resolve(request))
        request.once('close', () => cutOff.resolve())
        return
      }
      const { authorization } = request.headers as { authorization: string }
      void fetch(server.address + request.url, { headers: { authorization } })
        .then((answer) => answer.text())
        .then((text) => response.end(text))
    })
    const running = start(['source', 'add', 'large.txt'], { DOCENT_URL: slow })
    const upload = await reached.promise
    running.process.kill('SIGINT')
    const ended = await Promise.race([running.ended, sleep(20_000, undefined, { ref: false })])
    assert.equal(ended?.code, 130, 'within seconds')
    assert.match(ended.stderr, /^Stopped\. .*Run the same command to continue\.$/m)
    // A stream that is not read does not report its end.
    upload.resume()
    await cutOff.promise

    assert.deepEqual(await titles(), [])
    write('large.txt', 'The lantern was made in 1830.')
    assert.equal((await run(['source', 'add', 'large.txt'])).stdout, '1 added\n')
    assert.equal((await titles()).length, 1)
  })
})

suite('docent source add --watch', () => {
  test('follows new, changed and deleted files, also after it was killed', async (t) => {
    const { start, write, titles, folder } = await stage(t)
    const has = (...wanted: string[]) =>
      until(async () => (await titles()).sort().join() === wanted.join())
    write('docs/a.md', '# First\n\nIt was made in 1820.\n')
    const running = start(['source', 'add', 'docs', '--watch'])
    await running.says(/Watching/)
    await has('First')
    write('docs/b.md', '# Second\n\nIt was made in 1830.\n')
    await has('First', 'Second')
    write('docs/a.md', '# Changed\n\nIt was made in 1840.\n')
    await has('Changed', 'Second')
    write(
      'docs/noise.bin',
      Uint8Array.from({ length: 500 }, (_, i) => (i * 37) % 256),
    )
    await running.says(/skipped {4}docs\/noise\.bin/)
    rmSync(join(folder, 'docs/b.md'))
    await has('Changed')
    running.process.kill('SIGKILL')
    await running.ended

    rmSync(join(folder, 'docs/a.md'))
    write('docs/c.md', '# Third\n\nIt was made in 1850.\n')
    const again = start(['source', 'add', 'docs', '--watch', '--json'])
    await has('Third')
    again.process.kill('SIGTERM')
    const { code, stdout } = await again.ended
    assert.equal(code, 0)
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    // A process killed right after a delete deletes again, which does no harm.
    assert.deepEqual([...new Set(types)].sort(), ['added', 'deleted', 'passed over'])
  })

  test('leaves everything alone when its folder is away, and survives a server that is', async (t) => {
    const { start, write, titles, folder, server } = await stage(t)
    write('docs/a.md', '# First\n\nIt was made in 1820.\n')
    write('other/b.md', '# Second\n\nIt was made in 1830.\n')
    const running = start(['source', 'add', 'docs', 'other', '--watch'])
    await running.says(/Watching/)
    renameSync(join(folder, 'docs'), join(folder, 'away'))
    rmSync(join(folder, 'other/b.md'))
    await until(async () => (await titles()).length === 1)
    assert.deepEqual(await titles(), ['First'])
    await server.stop(0)
    write('other/c.md', '# Third\n\nIt was made in 1840.\n')
    await running.says(/cannot reach|connection|no answer/i)
    running.process.kill('SIGINT')
    assert.equal((await running.ended).code, 0)
  })
})
