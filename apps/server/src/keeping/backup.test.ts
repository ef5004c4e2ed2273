import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { changeSealed, flipBit } from '../../test/files/change-sealed.ts'
import { Client, temporaryFolder, until } from '../../test/harness.ts'
import { docent, LAUNCHER, serve, startOnFile } from '../../test/run-docent.ts'
import { ONLY_SQLITE } from '../../test/test-database.ts'
import { claimDataFolder, shareDataFolder } from '../database/data-folder.ts'

const OPENING = { question: 'When is the museum open?', answer: 'Daily from 9 to 17.' }

async function backUp(folder: string, file: string, ...args: string[]) {
  const result = await docent(folder, ['backup', file, '--json', ...args])
  assert.equal(result.code, 0, result.stderr)
  return result.json()
}

/** A snapshot of a folder, to see that nothing has changed. */
function contentOf(folder: string) {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.startsWith('server.lock'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

async function chatbotNames(folder: string, token: string): Promise<string[]> {
  const child = await serve(folder)
  try {
    const { body } = await new Client(child.address, token).json('GET', '/chatbots')
    return body.map(({ name }: { name: string }) => name)
  } finally {
    await child.end('SIGTERM')
  }
}

suite('docent backup and restore', ONLY_SQLITE, () => {
  test('say so where there is no folder to write to', async (t) => {
    const { folder } = await startOnFile(t)
    const { code, stderr } = await docent(folder, ['backup', join(folder, 'nowhere/all.gz')])
    assert.equal(code, 1)
    assert.match(stderr, /^The folder .*nowhere does not exist\. .*\n$/)
  })

  test('keep everything that was acknowledged before, while the server is being written to', async (t) => {
    const { folder, client } = await startOnFile(t)
    const chatbot = await client.createChatbot({ name: 'Guide', show_citations: true })
    await client.createPair(chatbot, OPENING.question, OPENING.answer)
    await client.upload(chatbot, 'prices.txt', 'Admission is 12 euros for adults.')

    const acknowledged: string[] = []
    let isDone = false
    const writing = Promise.all(
      [1, 2, 3].map(async (writer) => {
        for (let i = 0; !isDone; i++) {
          const name = `bot ${writer}.${i}`
          await client.createChatbot({ name })
          acknowledged.push(name)
        }
      }),
    )
    await until(() => (acknowledged.length > 20 ? true : undefined))
    const atStart = [...acknowledged]
    const file = join(temporaryFolder(t), 'all.gz')
    const made = await backUp(folder, file)
    isDone = true
    await writing
    assert.equal(made.bytes, statSync(file).size)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(made.migrations.slice(0, 1), ['0001-initial'])
    assert.deepEqual(readdirSync(join(file, '..')), ['all.gz'], 'nothing else is left behind')

    const target = join(temporaryFolder(t), 'new')
    const restored = await docent(folder, ['restore', file], { DATA_DIR: target })
    assert.equal(restored.code, 0, restored.stderr)
    const child = await serve(target)
    t.after(() => child.process.kill('SIGKILL'))
    assert.equal(child.token, undefined, 'the old token serves')
    const copy = new Client(child.address, client.token)
    const { body } = await copy.json('GET', '/chatbots')
    const names = new Set(body.map(({ name }: { name: string }) => name))
    assert.deepEqual(
      atStart.filter((name) => !names.has(name)),
      [],
    )
    const answer = await copy.ask(await copy.createSession(chatbot), 'When is the museum open?')
    assert.equal(await answer.text(), 'Daily from 9 to 17. [1.1]')
  })

  test('refuse to overwrite, unless told to, and then keep what was there', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    await client.createChatbot({ name: 'first' })
    const file = join(temporaryFolder(t), 'all.gz')
    await backUp(folder, file)
    assert.match((await docent(folder, ['backup', file])).stderr, /already exists.*--force/)
    await backUp(folder, file, '--force')

    const running = await docent(folder, ['restore', file, '--force'])
    assert.equal(running.code, 1)
    assert.match(running.stderr, /Another Docent server is using the data folder/)

    await client.createChatbot({ name: 'second' })
    // After a kill, the log holds changes of the old database. They must not reach the new one.
    await child.end('SIGKILL')
    assert.ok(statSync(join(folder, 'docent.db-wal')).size > 0)
    const refused = await docent(folder, ['restore', file])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /is not empty.*--force/)
    const { before } = (await docent(folder, ['restore', file, '--force', '--json'])).json()
    assert.deepEqual(await chatbotNames(folder, client.token), ['first'])
    const kept = temporaryFolder(t)
    const content = readFileSync(before)
    writeFileSync(join(kept, 'docent.db'), content)
    assert.deepEqual(await chatbotNames(kept, client.token), ['first', 'second'])
    const again = await docent(folder, ['restore', file, '--force'])
    assert.ok(again.stdout.endsWith(`is in ${before}.2.\n`) && existsSync(`${before}.2`))
    assert.ok(readFileSync(before).equals(content))
  })

  test('and other commands keep off each other', async (t) => {
    const { folder, child } = await startOnFile(t)
    await child.end('SIGTERM')
    const file = join(temporaryFolder(t), 'all.gz')
    await backUp(folder, file)
    const endSharing = shareDataFolder(folder)
    const refused = await docent(folder, ['restore', file, '--force'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^Another docent command is using the data folder .+ Wait until/)
    assert.equal((await docent(folder, ['token', 'create', '--name', 'a'])).code, 0)
    endSharing()
    const unlock = claimDataFolder(folder)
    const late = await docent(folder, ['token', 'create', '--name', 'b'])
    assert.equal(late.code, 1)
    assert.match(late.stderr, /^The data folder .+ is being restored or moved\. Wait until/)
    unlock()
    assert.equal((await docent(folder, ['restore', file, '--force'])).code, 0)
  })

  test('a restore that is killed half way leaves the old state in charge', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    const chatbot = await client.createChatbot({ name: 'Old' })
    const noise = createHash('shake256', { outputLength: 3_000_000 }).digest('base64')
    await client.upload(chatbot, 'noise.txt', noise.replaceAll(/(.{60})/g, '$1\n'))
    const file = join(temporaryFolder(t), 'all.gz')
    await backUp(folder, file)
    await client.createChatbot({ name: 'New' })
    await child.end('SIGTERM')

    const pipe = join(temporaryFolder(t), 'pipe')
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
    const bytes = readFileSync(file)
    const restoring = spawn(process.execPath, [LAUNCHER, 'restore', pipe, '--force'], {
      env: { DATA_DIR: folder },
      // A process group, so that the launcher and its child end together.
      detached: true,
    })
    const feeding = createWriteStream(pipe)
    feeding.on('error', () => {})
    feeding.write(bytes.subarray(0, bytes.length / 2))
    const unpacked = join(folder, 'docent.db.restoring')
    await until(() => (existsSync(unpacked) && statSync(unpacked).size > 0 ? true : undefined))
    process.kill(-restoring.pid!, 'SIGKILL')
    await once(restoring, 'exit')
    const { code, stdout } = await docent(folder, ['doctor'])
    assert.equal(code, 0)
    assert.match(stdout, /^note {2}leftovers: \S+docent\.db\.restoring belongs to a restore/m)
    assert.deepEqual(await chatbotNames(folder, client.token), ['Old', 'New'])
    assert.equal(existsSync(unpacked), false, 'the start has removed it')

    assert.equal((await docent(folder, ['restore', file, '--force'])).code, 0)
    assert.deepEqual(await chatbotNames(folder, client.token), ['Old'])
    assert.equal(existsSync(unpacked), false)
  })

  test('a restore that is stopped leaves nothing, and the old state in charge', async (t) => {
    const { folder, file } = await makeLarge(t)
    const then = contentOf(folder)
    const pipe = join(temporaryFolder(t), 'pipe')
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
    const restoring = startGroup(folder, ['restore', pipe, '--force'])
    const feeding = createWriteStream(pipe)
    feeding.on('error', () => {})
    feeding.write(readFileSync(file).subarray(0, 10_000_000))
    await until(() => (existsSync(join(folder, 'docent.db.restoring')) ? true : undefined))
    assert.deepEqual(await restoring.endBy('SIGTERM'), { code: 130, stderr: 'Stopped.\n' })
    feeding.destroy()
    assert.deepEqual(contentOf(folder), then)
  })

  test('a restore ends that the content of the folder has been moved elsewhere', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    await client.createChatbot({ name: 'Kept' })
    const file = join(temporaryFolder(t), 'all.gz')
    await backUp(folder, file)
    await child.end('SIGTERM')
    writeFileSync(join(folder, 'moved.txt'), 'postgres://db.example.org/docent\n')
    await assert.rejects(serve(folder), /was moved to postgres:/)
    assert.equal((await docent(folder, ['restore', file, '--force'])).code, 0)
    assert.deepEqual(await chatbotNames(folder, client.token), ['Kept'])
  })

  test('say what they need', async (t) => {
    const folder = temporaryFolder(t)
    for (const [args, message] of [
      [['backup'], /Give one file: docent backup FILE/],
      [['restore', 'a', 'b'], /Unexpected argument "b"/],
      [['backup', 'x.gz'], /data folder .* is empty/],
      [['restore', 'nowhere.gz'], /There is no file .*nowhere\.gz/],
      [['restore', '--frce', 'x'], /frce/],
    ] as const) {
      const { code, stderr } = await docent(folder, [...args])
      assert.ok(code === 1 || code === 2, args.join(' '))
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
    }
    assert.deepEqual(readdirSync(folder), [])
    assert.match((await docent(folder, ['help'])).stdout, /docent restore FILE/)
  })
})

/** A database that takes a while to pack, and a backup of it. */
async function makeLarge(t: TestContext) {
  const folder = temporaryFolder(t)
  await (await serve(folder)).end('SIGTERM')
  const database = new DatabaseSync(join(folder, 'docent.db'))
  database.exec('CREATE TABLE noise AS SELECT randomblob(25000000) AS bytes')
  database.close()
  const file = join(temporaryFolder(t), 'all.gz')
  await backUp(folder, file)
  return { folder, file }
}

/** Starts a process group: the launcher and its child get signals together, as with Ctrl-C in a terminal. */
function startGroup(folder: string, args: string[]) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { DATA_DIR: folder },
    detached: true,
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return {
    async endBy(signal: NodeJS.Signals) {
      process.kill(-child.pid!, signal)
      const [code] = await once(child, 'close')
      return { code, stderr }
    },
  }
}

suite('a backup that is broken off', ONLY_SQLITE, () => {
  const unfinished = (folder: string, kind: string) =>
    until(() => (readdirSync(folder).some((name) => name.endsWith(kind)) ? true : undefined))

  test('leaves nothing when it is stopped, and the old file', async (t) => {
    const { folder, file } = await makeLarge(t)
    const target = join(file, '..')
    const then = contentOf(target)
    for (const [signal, kind] of [
      ['SIGINT', '.copy'],
      ['SIGTERM', '.partial'],
    ] as const) {
      const running = startGroup(folder, ['backup', file, '--force'])
      await unfinished(target, kind)
      assert.deepEqual(await running.endBy(signal), { code: 130, stderr: 'Stopped.\n' })
      assert.deepEqual(contentOf(target), then, signal)
    }
  })

  test('and killed, has its rest removed by the next one, and named by doctor and others', async (t) => {
    const { folder } = await makeLarge(t)
    const file = join(folder, 'all.gz')
    const running = startGroup(folder, ['backup', file])
    await unfinished(folder, '.partial')
    await running.endBy('SIGKILL')
    const left = readdirSync(folder).filter((name) => name.startsWith('all.gz.'))
    assert.equal(left.length, 2)
    const isNote = /^note {2}leftovers: An interrupted .* Delete them: \S+all\.gz\.\w+\.copy/m
    assert.doesNotMatch((await docent(folder, ['doctor'])).stdout, isNote, 'it may be at work')

    const twoHoursAgo = Date.now() / 1000 - 7200
    for (const name of left) utimesSync(join(folder, name), twoHoursAgo, twoHoursAgo)
    const { code, stdout } = await docent(folder, ['doctor'])
    assert.equal(code, 0)
    assert.match(stdout, isNote)
    const other = await docent(folder, ['backup', join(folder, 'other.gz')])
    assert.match(other.stderr, /^An inter.*all\.gz\.\w+\.partial$/m, 'another file’s are its own')
    const atWork = join(folder, `all.gz.${'a'.repeat(32)}.copy`)
    writeFileSync(atWork, '')
    const again = await docent(folder, ['backup', file])
    assert.deepEqual([again.code, again.stderr], [0, ''])
    const names = readdirSync(folder).filter((name) => name.startsWith('all.gz'))
    assert.deepEqual(names, ['all.gz', basename(atWork)])
  })
})

suite('a backup that is not as it was written', ONLY_SQLITE, () => {
  const folder = temporaryFolder({ after })
  let good: Buffer
  let token: string

  before(async () => {
    const child = await serve(folder)
    token = child.token!
    await new Client(child.address, token).createChatbot({ name: 'Kept' })
    await child.end('SIGTERM')
    const file = join(folder, 'all.gz')
    await backUp(folder, file)
    good = readFileSync(file)
    rmSync(file)
  })

  const changed = (change: (text: string) => string, seals = false) =>
    changeSealed(good, change, { seals })
  const NEWER = /was written by a newer version of Docent/
  const DAMAGED = /is damaged or incomplete/

  for (const [what, bytes, message] of [
    ['is empty', () => Buffer.alloc(0), DAMAGED],
    ['is a text', () => Buffer.from('hello\n'.repeat(1000)), DAMAGED],
    ['was cut in its first line', () => good.subarray(0, 60), DAMAGED],
    ['was cut in the middle', () => good.subarray(0, good.length / 2), DAMAGED],
    ['lacks its last byte', () => good.subarray(0, -1), DAMAGED],
    ['has something after it', () => Buffer.concat([good, Buffer.from('x')]), DAMAGED],
    ['has a bit changed near its beginning', () => flipBit(good, 0.01), DAMAGED],
    ['has a bit changed in the middle', () => flipBit(good, 0.5), DAMAGED],
    ['has a bit changed at its end', () => flipBit(good, 1), DAMAGED],
    ['had a name changed in it', () => changed((text) => text.replace('Kept', 'Lept')), DAMAGED],
    [
      'is shorter than it says',
      () => changed((text) => text.replace('\0\0\0\0', ''), true),
      DAMAGED,
    ],
    [
      'is longer than it says',
      () => changed((text) => text.replace('\0\0', '\0\0\0'), true),
      DAMAGED,
    ],
    [
      'holds a broken database',
      () => changed((text) => text.replace('SQLite format', 'SQLate format'), true),
      DAMAGED,
    ],
    [
      'is of a format to come',
      () => changed((text) => text.replace('"format":1', '"format":2'), true),
      NEWER,
    ],
    [
      'is of a schema to come',
      () => changed((text) => text.replace('["0001', '["9999-x","0001'), true),
      NEWER,
    ],
    [
      'is something else',
      () => changed((text) => text.replace('"backup"', '"chatbot"'), true),
      /Use "docent import"/,
    ],
    ['is of somebody else', () => gzipSync('{"a": 1}\n'.repeat(100)), /was not written by Docent/],
  ] as const) {
    test(`is refused when it ${what}, and the folder stays as it is`, async (t) => {
      const file = join(temporaryFolder(t), 'all.gz')
      writeFileSync(file, bytes())
      const then = contentOf(folder)
      const { code, stderr } = await docent(folder, ['restore', file, '--force'])
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
      assert.deepEqual(contentOf(folder), then)
    })
  }

  test('is restored as long as it is', async (t) => {
    const file = join(temporaryFolder(t), 'all.gz')
    writeFileSync(file, good)
    assert.equal((await docent(folder, ['restore', file, '--force'])).code, 0)
    assert.deepEqual(await chatbotNames(folder, token), ['Kept'])
  })
})
