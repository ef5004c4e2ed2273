import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { scriptedModel, startSite, until } from '../../../test/harness.ts'
import { DRIVING, runInTerminal, startRemote } from '../../../test/remote-docent.ts'

suite('docent login', async () => {
  const remote = await startRemote({ after })
  const { server, run, folder } = remote
  const nobody = { DOCENT_TOKEN: '', DOCENT_URL: '' }
  const file = join(folder, '.config/docent/login.json')

  test('saves a token that works, for its owner’s eyes only, and logout forgets it', async () => {
    const { code, stdout, stderr } = await run(['login', `${server.address}/`], {
      input: `${server.owner.token}\n`,
      environment: nobody,
    })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Logged in to http:\S+ as "owner"/)
    assert.ok(!stdout.includes(server.owner.token))
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await run(['bot', 'list'], { environment: nobody })).code, 0)

    const elsewhere = { DOCENT_TOKEN: '', DOCENT_URL: 'http://127.0.0.1:9' }
    const refused = await run(['bot', 'list'], { environment: elsewhere })
    assert.equal(refused.code, 4, 'a token is for the server it was saved for')
    assert.equal((await run(['logout'], { environment: nobody })).code, 0)
    assert.equal(existsSync(file), false)
  })

  test('saves nothing that does not work', async () => {
    const wrong = await run(['login', server.address], { input: 'docent_x', environment: nobody })
    assert.equal(wrong.code, 4)
    assert.match(wrong.stderr, /unknown, expired or revoked/)
    const none = await run(['login', server.address], { environment: nobody })
    assert.equal(none.code, 2)
    assert.equal(existsSync(file), false)
  })

  test('every command tells a wrong token and a server that is not there, by sentence and exit code', async () => {
    for (const args of [['bot', 'list'], ['chat', 'Hello?'], ['source', 'list'], ['mcp']]) {
      const wrong = await run(args, { environment: { DOCENT_TOKEN: 'docent_wrong' } })
      assert.equal(wrong.code, 4, args.join(' '))
      assert.match(wrong.stderr, /unknown, expired or revoked.*docent login/)
      const away = await run(args, { environment: { DOCENT_URL: 'http://127.0.0.1:9' } })
      assert.equal(away.code, 3, args.join(' '))
      assert.match(away.stderr, /Check that the server is running and that DOCENT_URL is correct\./)
      assert.doesNotMatch(away.stderr, /\n {4}at /, 'no stack')
    }
    const odd = await run(['bot', 'list'], { environment: { DOCENT_URL: 'chat.example.org' } })
    assert.equal(odd.code, 2)
    const json = await run(['bot', 'list', '--json'], { environment: { DOCENT_TOKEN: 'x' } })
    assert.deepEqual(Object.keys(JSON.parse(json.stderr)), ['error', 'exit'])
  })
})

suite('docent bot', async () => {
  const remote = await startRemote({ after })
  const { run, server } = remote

  test('makes, shows, changes and deletes', async () => {
    const made = await run([
      ...['bot', 'create', 'Museum guide', '--rate-limit', '5/60'],
      ...['--visibility', 'public', '--json'],
    ])
    const { uuid, meta } = JSON.parse(made.stdout)
    assert.deepEqual(meta.rate_limit, [5, 60])
    assert.equal(meta.show_citations, true)
    const { stdout } = await run(['bot', 'show'])
    assert.match(stdout, /^visibility +public$/m)
    assert.ok(
      stdout.includes(`<script src="${server.address}/widget.js" data-chatbot="${uuid}" async>`),
    )
    await run(['bot', 'update', 'Museum guide', '--no-citations', '--name', 'Guide'])
    const shown = JSON.parse((await run(['bot', 'show', uuid, '--json'])).stdout)
    assert.equal(shown.name, 'Guide')
    assert.equal(shown.meta.show_citations, false)
    assert.deepEqual(shown.meta.rate_limit, [5, 60], 'only what is named changes')
    assert.match(
      (await run(['bot', 'list'])).stdout,
      new RegExp(`^${uuid} {2}public {2}Guide$`, 'm'),
    )

    const kept = await run(['bot', 'delete', 'Guide'])
    assert.equal(kept.code, 1)
    assert.match(kept.stderr, /Nothing was deleted/)
    const terminal = await runInTerminal(remote, ['bot', 'delete', 'Guide'], [[/\[y\/N\]/, 'n\r']])
    assert.match(terminal, /Nothing was deleted/)
    assert.equal((await run(['bot', 'delete', 'Guide', '--yes'])).code, 0)
    assert.equal(
      (await run(['bot', 'list'])).stdout,
      'No chatbots yet. Run "docent bot create NAME" to create one.\n',
    )

    await run(['bot', 'create', 'One', '--model', 'gpt-4o'])
    await run(['bot', 'create', 'Two', '--model', 'gpt-4o'])
    const moved = await run(['bot', 'update', '--all', '--model', 'docent-quote'])
    assert.equal(moved.stdout, 'Updated 2 chatbots.\n')
    for (const name of ['One', 'Two']) {
      const { stdout } = await run(['bot', 'show', name, '--json'])
      assert.equal(JSON.parse(stdout).meta.model, 'docent-quote')
      for (const wrong of [[name], ['--name', 'Same']])
        assert.equal((await run(['bot', 'update', '--all', ...wrong, '--citations'])).code, 2)
      await run(['bot', 'delete', name, '--yes'])
    }

    const plain = await run(['bot', 'create', 'Plain', '--no-citations', '--json'])
    assert.equal(JSON.parse(plain.stdout).meta.show_citations, false)
    await run(['bot', 'delete', 'Plain', '--yes'])
  })

  test('names a chatbot without what could drive the terminal, in failures, too', async () => {
    const name = 'Odd \u001b[2J\u009b1m'
    const first = await server.owner.createChatbot({ name })
    const second = await server.owner.createChatbot({ name })
    for (const args of [
      ['bot', 'list'],
      ['bot', 'show'],
      ['bot', 'delete', first],
      ['bot', 'delete', first, '--yes'],
      ['bot', 'delete', second, '--yes', '--json'],
    ]) {
      const { stdout, stderr } = await run(args)
      assert.match(stdout + stderr, /Odd .*\[2J\\u009b1m/, args.join(' '))
      assert.doesNotMatch(stdout + stderr, DRIVING, args.join(' '))
    }
  })

  test('refuses what it does not understand, in the server’s words where they are the server’s', async () => {
    await server.owner.createChatbot({ name: 'Twin' })
    await server.owner.createChatbot({ name: 'Twin' })
    const theirs = await server.stranger.createChatbot({ name: 'Theirs' })
    for (const [exit, args, message] of [
      [2, ['bot', 'create'], /Give a name/],
      [2, ['bot', 'create', 'x', '--visibility', 'secret'], /visibility/],
      [2, ['bot', 'create', 'x', '--temperature', '9'], /temperature/],
      [2, ['bot', 'create', 'x', '--temperature', 'warm'], /--temperature must be a number/],
      [2, ['bot', 'create', 'x', '--rate-limit', '5'], /messages\/seconds/],
      [2, ['bot', 'create', 'x', '--rate-limit', '0/60'], /rate_limit/],
      [2, ['bot', 'create', 'x', '--model', 'nonsense'], /model: must be one of/],
      [2, ['bot', 'create', 'x', '--colour', 'red'], /colour/],
      [2, ['bot', 'update', 'Twin', '--prompt', 'x'], /2 chatbots are named "Twin"\. Give a UUID/],
      [2, ['bot', 'update', 'Twin'], /Give a setting to change/],
      [2, ['bot', 'delete', theirs, '--yes'], /There is no chatbot/],
      [2, ['bot', 'show'], /Choose a chatbot with --bot/],
    ] as const) {
      const { code, stderr } = await run([...args])
      assert.equal(code, exit, args.join(' '))
      assert.match(stderr, message)
    }
  })
})

suite('docent chat', async () => {
  const remote = await startRemote({ after })
  const { run, server } = remote
  const chatbot = await server.owner.createChatbot({ name: 'Guide', show_citations: true })
  await server.owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')

  test('answers a question, with citations as footnotes', async () => {
    const { code, stdout } = await run(['chat', 'When are you open?'])
    assert.equal(code, 0)
    assert.equal(
      stdout,
      'Daily from 9 to 17. [1.1]\n  [1.1] When are you open?: “Daily from 9 to 17.”\n\n',
    )
  })

  test('answers what comes down a pipe, line by line, in one conversation', async () => {
    const { stdout } = await run(['chat', '--json'], { input: 'When are you open?\n\nAnd why?\n' })
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(first.citations[0].quote, 'Daily from 9 to 17.')
    assert.equal(first.session, second.session)
    const more = await run(['chat', '--session', first.session, 'Thank you'])
    assert.equal(more.code, 0)
    assert.equal((await server.owner.messages(first.session)).length, 3)
  })

  test('talks in a terminal until an empty line', async () => {
    const output = await runInTerminal(
      remote,
      ['chat'],
      [
        [/> /, 'When are you open?\r'],
        [/“Daily from 9 to 17.”[\s\S]*> /, '\r'],
      ],
    )
    assert.match(output, /Chatting with Guide/)
    assert.match(output, /\[1\.1\] When are you open\?: “Daily/)
  })
})

suite('docent chat, with a language model', async () => {
  const script = scriptedModel()
  const remote = await startRemote({ after }, { models: [script.model] })
  const { run, start, server } = remote
  const settings = { name: 'Guide', rate_limit: [100, 1], show_citations: true }
  const chatbot = await server.owner.createChatbot(settings)

  test('shows text as it comes, and nothing that could drive the terminal', async () => {
    script.say('Before \u001b[2J\u001b]0;title\u0007after,')
    const running = start(['chat', 'Hello?'])
    await running.says(/after,/)
    script.say(' and more.')
    script.finish()
    const { code, stdout } = await running.ended
    assert.equal(code, 0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    assert.doesNotMatch(stdout, /[\u001b\u0007]/)
    assert.match(stdout, /^Before .*after, and more\.$/m)
  })

  test('stopped by Ctrl-C, it stops the model', async () => {
    script.calls.length = 0
    script.say('A long story: ')
    const running = start(['chat', 'Tell me a story.'])
    await running.says(/A long story/)
    // Ctrl-C arrives twice: from the terminal and from the launcher, which passes it on.
    running.process.kill('SIGINT')
    running.process.kill('SIGINT')
    const { code } = await running.ended
    assert.equal(code, 130)
    await until(() => script.calls[0]?.aborted || undefined)
  })

  test('a footnote shows of a long passage what the answer speaks of', async () => {
    const others = 'The garden has roses of every colour there is. '.repeat(4)
    const passage = `Families pay 20 euros. ${others}Groups of ten pay 60 euros. ${others}`
    await server.owner.createPair(chatbot, 'Prices', passage)
    script.say('Families pay 20 euros, and groups of ten 60 euros. [1.1]')
    script.finish()
    const { stdout } = await run(['chat', 'What do families and groups pay?'])
    assert.match(stdout, /: “Families pay 20 euros\. … Groups of ten pay 60 euros\.”\n/)
  })

  test('tells why an answer failed', async () => {
    script.fail('secret')
    const { code, stderr } = await run(['chat', 'Hello?'])
    assert.equal(code, 1)
    assert.match(stderr, /The language model failed\./)
  })
})

suite('docent conversations', async () => {
  const { server, run, folder } = await startRemote({ after })
  const chatbot = await server.owner.createChatbot({ name: 'Museum' })
  for (const question of ['Where are the lions?', 'When are you open?']) {
    const session = await server.owner.createSession(chatbot)
    await (await server.owner.ask(session, question)).text()
  }

  test('writes a table or lines, of those that are wanted, for its owner’s eyes only', async () => {
    const { code, stdout, stderr } = await run(['conversations', 'all.csv', '--bot', 'Museum'])
    assert.equal(code, 0, stderr)
    const file = join(folder, 'all.csv')
    assert.equal(stdout, `Wrote the conversations of "Museum" to ${file}.\n`)
    assert.match(
      readFileSync(file, 'utf8'),
      /^\ufeffsession_uuid,.*\r\n.*When are you open.*\r\n.*lions/,
    )
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const today = new Intl.DateTimeFormat('sv').format()
    const days = ['--from', today, '--to', today]
    await run(['conversations', 'some.jsonl', '--search', 'LIONS', '--channel', 'api', ...days])
    const [line, ...rest] = readFileSync(join(folder, 'some.jsonl'), 'utf8').split('\n')
    assert.equal(JSON.parse(line!).question, 'Where are the lions?')
    assert.deepEqual(rest, [''])
    await run(['conversations', 'none.jsonl', '--to', '2026-01-01'])
    assert.equal(readFileSync(join(folder, 'none.jsonl'), 'utf8'), '')
  })

  test('leaves a file that is there, and none that is not whole', async () => {
    const file = join(folder, 'kept.csv')
    writeFileSync(file, 'kept')
    const refused = await run(['conversations', 'kept.csv'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /already exists/)
    for (const wrong of [
      ['kept.xlsx'],
      ['new.csv', '--from', 'monday'],
      ['new.csv', '--rating', 'good'],
    ]) {
      const { code, stderr } = await run(['conversations', ...wrong])
      assert.equal(code, 2, stderr)
    }
    const cutting = await startSite({ after }, async (request, response) => {
      const { url, headers } = request
      const authorization = String(headers.authorization)
      const passed = await fetch(server.address + url, { headers: { authorization } })
      const text = await passed.text()
      if (!url!.includes('/export')) return void response.end(text)
      response.write(text.slice(0, 200), () => response.destroy())
    })
    const cut = await run(['conversations', 'kept.csv', '--force'], {
      environment: { DOCENT_URL: cutting },
    })
    assert.equal(cut.code, 3, cut.stderr)
    assert.match(cut.stderr, /cut off/)
    assert.equal(readFileSync(file, 'utf8'), 'kept')
    assert.deepEqual(
      readdirSync(folder).filter((name) => /new|part/.test(name)),
      [],
    )
    assert.equal((await run(['conversations', 'kept.csv', '--force'])).code, 0)
    assert.notEqual(readFileSync(file, 'utf8'), 'kept')
  })
})
