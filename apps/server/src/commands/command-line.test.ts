import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite, test } from 'node:test'
import { Client, temporaryFolder, until } from '../../test/harness.ts'
import { DRIVING } from '../../test/remote-docent.ts'
import { docent, LAUNCHER, serve, startCli, startOnFile } from '../../test/run-docent.ts'
import { makeDatabase, ONLY_SQLITE, TEST_SERVER } from '../../test/test-database.ts'
import { readConfig } from '../config.ts'
import { COMMAND_GROUPS, COMMANDS } from './command-table.ts'
import { describeCommands } from './help.ts'
import { findCommand, parseCommand } from './parse-command.ts'

suite('docent serve', () => {
  test('prints where to go, and a token on the very first start only', async (t) => {
    const { store, folder, child, client } = await startCli(t)
    assert.match(child.address, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.ok(child.output().includes(`Data folder: ${folder}`))
    assert.match(child.token!, /^docent_[\w-]{43}$/)
    assert.equal((await client.json('GET', '/chatbots')).status, 200)
    assert.equal(await child.end('SIGTERM'), 0)

    const again = await serve(folder, store)
    assert.equal(again.token, undefined)
    assert.equal(
      (await new Client(again.address, child.token!).json('GET', '/chatbots')).status,
      200,
    )
    assert.equal(await again.end('SIGINT'), 0)
  })

  test('prints no line for each request in a terminal, and takes Ctrl-C', async (t) => {
    const line = `'${process.execPath}' '${LAUNCHER}' serve`
    const terminal = spawn('script', ['-qec', line, '/dev/null'], {
      env: { TERM: 'xterm', DATA_DIR: temporaryFolder(t), PORT: '0', ...(await makeDatabase(t)) },
    })
    t.after(() => terminal.kill('SIGKILL'))
    let output = ''
    const ready = Promise.withResolvers<string>()
    terminal.stdout.on('data', (chunk) => {
      output += chunk
      const [, address] = /ready at (http:\S+).*shown only once/s.exec(output) ?? []
      if (address) ready.resolve(address)
    })
    assert.equal((await fetch(`${await ready.promise}/api/v1/chatbots`)).status, 401)
    terminal.stdin.write('\x03')
    await once(terminal, 'close')
    assert.match(output, /Stopping/)
    assert.doesNotMatch(output, /"level"/)
  })

  test(
    'leaves everything in one file, for its owner only, when it has stopped',
    ONLY_SQLITE,
    async (t) => {
      const { folder, child, client } = await startOnFile(t)
      await client.createChatbot({ name: 'Kept' })
      await child.end('SIGTERM')
      assert.deepEqual(readdirSync(folder).sort(), ['docent.db', 'server.lock'])
      const copy = temporaryFolder(t)
      copyFileSync(join(folder, 'docent.db'), join(copy, 'docent.db'))
      const restored = await serve(copy)
      t.after(() => restored.process.kill('SIGKILL'))
      const { body } = await new Client(restored.address, client.token).json('GET', '/chatbots')
      assert.equal(body[0].name, 'Kept')

      const made = join(temporaryFolder(t), 'new')
      await (await serve(made)).end('SIGTERM')
      assert.equal(statSync(made).mode & 0o777, 0o700)
      const open = temporaryFolder(t)
      chmodSync(open, 0o755)
      await (await serve(open)).end('SIGTERM')
      assert.equal(statSync(join(open, 'docent.db')).mode & 0o777, 0o600)
      // A damaged lock must not stop a start: it holds nothing that could be lost.
      writeFileSync(join(open, 'server.lock'), 'damaged '.repeat(20))
      await (await serve(open)).end('SIGTERM')
    },
  )

  test('keeps the first token for a start that succeeds', async (t) => {
    const { child } = await startCli(t)
    const folder = temporaryFolder(t)
    const store = await makeDatabase(t)
    const taken = { ...store, PORT: new URL(child.address).port }
    await assert.rejects(serve(folder, taken), /in use/)
    const second = await serve(folder, store)
    t.after(() => second.process.kill('SIGKILL'))
    assert.match(second.token ?? '', /^docent_/)
  })

  test('says so when its data folder is a file', ONLY_SQLITE, async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'file'), '')
    await assert.rejects(
      serve(join(folder, 'file')),
      /is not a folder\. Set DATA_DIR to another one/,
    )
    const { stderr } = await docent(join(folder, 'empty'), ['token', 'list'], {}, folder)
    assert.match(stderr, /data folder .* is empty/)
  })

  test('ends with npm, which hands no signals on', async (t) => {
    const folder = temporaryFolder(t)
    const environment = {
      ...(await makeDatabase(t)),
      DATA_DIR: folder,
      PORT: '0',
      npm_command: 'run-script',
      LOG_LEVEL: 'error',
    }
    const script = join(import.meta.dirname, '../../../../scripts/start.mjs')
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${script}"; true`], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(shell.stdout)
    let address: string | undefined
    for await (const line of lines) {
      address = /^Docent is ready at (\S+)$/.exec(line)?.[1]
      if (address) break
    }
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    const log = join(folder, 'docent.db-wal')
    if (!TEST_SERVER) assert.equal(existsSync(log), true, 'the server is at work')
    shell.kill('SIGTERM')
    await until(() => (existsSync(log) ? undefined : true))
    await until(() =>
      fetch(`${address}/healthz`).then(
        () => undefined,
        () => true,
      ),
    )
  })

  test('names every bad setting in one message', async (t) => {
    const folder = temporaryFolder(t)
    const bad = {
      PORT: '99999',
      HOST: 'http://127.0.0.1',
      LOG_LEVEL: 'loud',
      READER: 'perhaps',
      DEFAULT_MODEL: 'nothing',
      MAX_UPLOAD_MB: '-1',
      ALLOW_PRIVATE_HOSTS: 'wiki.local,10.0.0.0/33',
      ALLOW_LINKS: 'https://museum.org',
      TRUSTED_PROXIES: 'proxy.local',
      DATABASE_URL: 'mysql://x/y',
      CHROMIUM_PATH: folder,
    }
    const { code, stderr } = await docent(folder, ['serve'], bad)
    assert.equal(code, 2)
    for (const name of Object.keys(bad))
      assert.match(stderr, new RegExp(`^ {2}${name}: must `, 'm'))
    assert.equal(existsSync(join(folder, 'docent.db')), false)
  })

  test('takes no host that no address could have', async (t) => {
    const folder = temporaryFolder(t)
    for (const host of [
      ...[
        'http://wiki.local',
        '!!',
        'a b',
        '300.1.1.1',
        '*',
        '127.1',
        '0x7f000001',
        'wiki.local:80',
      ],
      ...['bücher.local', '*.wiki.local', '::1/129', '10.0.0.0/8/8', '[]'],
    ]) {
      const settings = { DATA_DIR: folder, ALLOW_PRIVATE_HOSTS: `wiki.local, ${host}` }
      assert.throws(() => readConfig(settings), /\n {2}ALLOW_PRIVATE_HOSTS: must be/s, host)
    }
    const good = 'wiki.local,intranet,my_wiki.,10.1.0.0/16,192.168.1.7,[::1],fd00::/8'
    const settings = { DATA_DIR: folder, ALLOW_PRIVATE_HOSTS: good }
    assert.equal(readConfig(settings).allowPrivateHosts.length, 7)
    const { code, stderr } = await docent(folder, ['serve'], { ALLOW_PRIVATE_HOSTS: 'http://a.b' })
    assert.equal(code, 2)
    assert.match(stderr, /^ {2}ALLOW_PRIVATE_HOSTS: must be host names/m)
  })

  test('says what is wrong when its port is taken', async (t) => {
    const { child } = await startCli(t)
    const taken = { ...(await makeDatabase(t)), PORT: new URL(child.address).port }
    const { code, stderr } = await docent(temporaryFolder(t), ['serve'], taken)
    assert.equal(code, 1)
    assert.match(stderr, /port \d+ .*in use/i)
  })

  test('says what is wrong with an address that does not name its link', async (t) => {
    const settings = { ...(await makeDatabase(t)), PORT: '0', HOST: 'fe80::1' }
    const { code, stderr } = await docent(temporaryFolder(t), ['serve'], settings)
    assert.equal(code, 1)
    assert.match(stderr, /^The server cannot listen on fe80::1\. .*fe80::1%eth0.* HOST .*\n$/)
  })

  for (const [level, reads] of [
    ['info', 0],
    ['debug', 2],
  ] as const) {
    test(`writes a line for each request, with ${level} for ${reads} reads that went well; never a token or a text`, async (t) => {
      const { child, client } = await startCli(t, { LOG_LEVEL: level })
      const chatbot = await client.createChatbot({ prompt: 'secret-prompt' })
      const session = await client.createSession(chatbot)
      await (await client.ask(session, 'secret-question')).text()
      await client.json('GET', '/nowhere?x=secret-query')
      await client.json('GET', '/chatbots?limit=1')
      await client.json('GET', `/session/${session}/messages`)
      await child.end('SIGTERM')

      const log = child.output()
      const lines = log.split('\n').filter((line) => line.startsWith('{'))
      const requests = lines
        .map((line) => JSON.parse(line))
        .filter(({ msg, route }) => msg === 'request' && /^unknown$|^.api/.test(route))
      assert.equal(requests.length, 4 + reads)
      for (const line of requests) {
        assert.ok(line.reqId && line.method && line.route && line.status && line.ms >= 0)
      }
      assert.ok(!lines.join('\n').includes('secret'))
      assert.ok(!lines.join('\n').includes(client.token.slice(-20)))
    })
  }
})

suite('docent token and user', () => {
  test('make, list and revoke while the server runs', async (t) => {
    const { store, folder, child } = await startCli(t)
    const run = (...args: string[]) => docent(folder, ['token', ...args], store)
    const settings = ['--name', 'ci', '--scopes', 'read', '--expires', '1d']
    const made = (await run('create', ...settings, '--json')).json()
    const client = new Client(child.address, made.token)
    assert.equal((await client.json('GET', '/chatbots')).status, 200)
    assert.equal((await client.json('POST', '/chatbot/create', { name: 'x' })).status, 403)

    const list = await run('list')
    assert.match(list.stdout, /first token/)
    assert.match(list.stdout, /ci {2}owner {2}read {2}used/)
    assert.ok(!list.stdout.includes(made.token))
    assert.ok(!(await run('list', '--json')).stdout.includes('hash'))

    assert.equal((await run('revoke', 'ci')).code, 0)
    assert.equal((await client.json('GET', '/chatbots')).status, 401)
    assert.equal((await run('revoke', 'ci')).code, 1)
  })

  test('show names without what could drive a terminal', async (t) => {
    const { store, folder } = await startCli(t)
    const name = 'ci \u001b[2J\u001b]0;mine\u0007\u009b2J'
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await docent(folder, args, store)
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(stdout, DRIVING, args.join(' '))
      return stdout
    }
    await run('token', 'create', '--name', name)
    await run('user', 'create', name)
    assert.match(await run('token', 'list'), /ci \[2J\]0;mine\\u009b2J {2}owner/)
    assert.match(await run('user', 'list'), /^ci \[2J/m)
    const listed: { name: string }[] = JSON.parse(await run('token', 'list', '--json'))
    assert.ok(listed.some((token) => token.name === name))
    assert.match(await run('token', 'revoke', name), /^Revoked "ci \[2J/)
  })

  test('make another user, who sees nothing of the first one’s', async (t) => {
    const { store, folder, child, client } = await startCli(t)
    const run = (...args: string[]) => docent(folder, args, store)
    const chatbot = await client.createChatbot()
    assert.equal((await run('user', 'create', 'maria')).code, 0)
    assert.match((await run('user', 'list')).stdout, /^owner\nmaria$/m)
    const making = ['token', 'create', '--name', 'hers', '--user', 'maria', '--json']
    const { token } = (await run(...making)).json()
    const hers = new Client(child.address, token)
    assert.deepEqual((await hers.json('GET', '/chatbots')).body, [])
    assert.equal((await hers.json('GET', `/chatbot/${chatbot}`)).status, 404)
  })

  test('refuse what they do not understand, and say what to do', async (t) => {
    const { store, folder } = await startCli(t)
    for (const [exit, args, message] of [
      [2, ['token', 'create'], /--name/],
      [1, ['token', 'create', '--name', 'x', '--user', 'nobody'], /docent user create nobody/],
      [2, ['token', 'create', '--name', 'x', '--scopes', 'all'], /scopes/i],
      [2, ['token', 'create', '--name', 'x', '--expires', '2020-01-01'], /in the past/],
      [1, ['token', 'revoke', 'x'], /no token "x"/],
      [2, ['token', 'frobnicate'], /docent help/],
      [2, ['token', 'create', '--nmae', 'x'], /nmae/],
      [2, ['frobnicate'], /docent help/],
    ] as const) {
      const { code, stderr } = await docent(folder, [...args], store)
      assert.equal(code, exit, args.join(' '))
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
    }
    assert.match((await docent(folder, ['help'])).stdout, /docent token create/)
  })
})

suite('docent help, worker', () => {
  test('every command is in the help, with what it takes and an example', async (t) => {
    const folder = temporaryFolder(t)
    const { stdout } = await docent(folder, ['help'])
    for (const { name, options = {}, examples } of COMMANDS) {
      assert.ok(stdout.includes(`docent ${name}`), name)
      const described = describeCommands(COMMAND_GROUPS, name.split(' '))
      for (const option of Object.keys(options)) assert.ok(described.includes(`--${option}`), name)
      assert.ok(examples.length > 0 && examples.every((line) => described.includes(line)), name)
      for (const line of examples) {
        const words = /(?:^|\s)docent (.*?)(?: <.*)?$/.exec(line)![1]!.match(/"[^"]*"|\S+/g)!
        const { command, rest } = findCommand(COMMANDS, words)
        assert.equal(command.name, name)
        parseCommand(command, rest)
      }
    }
    assert.equal((await docent(folder, [])).stdout, stdout)
    const some = (await docent(folder, ['help', 'source'])).stdout
    assert.match(some, /^docent source add WHAT…$/m)
    assert.equal((await docent(folder, ['source', '--help'])).stdout, some)
    assert.equal((await docent(folder, ['help', 'frobnicate'])).code, 2)
    const bare = await docent(folder, ['source'])
    assert.match(bare.stderr, /needs one of: add, list, delete, retry/)
  })

  test('a worker of its own is refused with SQLite, and says why', async (t) => {
    const { code, stderr } = await docent(temporaryFolder(t), ['worker'])
    assert.equal(code, 1)
    assert.match(stderr, /A separate worker needs PostgreSQL/)
  })
})

test('a version, and what is not understood', async (t) => {
  const folder = temporaryFolder(t)
  const version = await docent(folder, ['--version'])
  assert.equal(version.code, 0)
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  const unknown = await docent(folder, ['--nonsense'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /^Unknown option "--nonsense"\./)
  const superfluous = await docent(folder, ['chat', 'When', 'are', 'you', 'open?'])
  assert.equal(superfluous.code, 2)
  assert.match(superfluous.stderr, /^Unexpected argument "are"\. Put arguments .* in quotes\./)
})

test('what can’t be printed is told of in a sentence', async (t) => {
  const call = (...args: string[]) => {
    const line = `'${process.execPath}' '${LAUNCHER}' ${args.join(' ')} >/dev/full`
    return spawnSync('sh', ['-c', line], { env: { DATA_DIR: temporaryFolder(t) } })
  }
  const { status, stderr } = call('--version')
  assert.equal(status, 1)
  assert.equal(`${stderr}`, 'The output cannot be written: the disk is full.\n')
  assert.equal(JSON.parse(`${call('help', '--json').stderr}`).exit, 1)
})

suite('docent user password', () => {
  test('sets a password that signs in, and refuses one that is too short', async (t) => {
    const { store, folder, child } = await startCli(t)
    assert.match(child.output(), /^Console: http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{12} /m)
    const set = (password: string) => {
      const options = {
        env: { DATA_DIR: folder, ...store },
        input: `${password}\n`,
        encoding: 'utf8' as const,
      }
      return spawnSync(process.execPath, [LAUNCHER, 'user', 'password', 'owner'], options)
    }
    assert.match(set('short').stderr, /The password must have at least 10 characters\./)
    assert.equal(set('a long enough password').status, 0)
    const slow = `(sleep 1; echo "a long enough password") | "$0" "$1" user password owner`
    const piped = spawnSync('sh', ['-c', slow, process.execPath, LAUNCHER], {
      env: { PATH: '/usr/bin:/bin', DATA_DIR: folder, ...store },
      encoding: 'utf8',
    })
    assert.equal(piped.status, 0, piped.stderr)
    const response = await fetch(`${child.address}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'owner', password: 'a long enough password' }),
    })
    assert.equal(response.status, 200)
    assert.equal(await child.end('SIGTERM'), 0)
    const again = await serve(folder, store)
    t.after(() => again.process.kill('SIGKILL'))
    assert.match(again.output(), /^Console: http:\/\/127\.0\.0\.1:\d+\/$/m)
  })
})
