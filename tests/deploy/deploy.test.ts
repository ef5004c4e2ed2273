import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { ReadableStream } from 'node:stream/web'
import { suite, type TestContext, test } from 'node:test'
import {
  Client,
  readUntil,
  scriptedModel,
  startTestServer,
  temporaryFolder,
} from '@docent/server/test/harness.ts'
import { needsNginx } from '@docent/server/test/machine/outside-tools.ts'
import { startNginx } from '@docent/server/test/machine/start-nginx.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'

// Tests the files of deploy/ as far as possible without Docker and without the machine's systemd.

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8')

interface Copy {
  stage: number
  from: string | undefined
  sources: string[]
  target: string
}

function copiesOf(dockerfile: string): Copy[] {
  let stage = 0
  const copies: Copy[] = []
  for (const line of dockerfile.split('\n')) {
    if (line.startsWith('FROM ')) stage += 1
    const [, from, paths] = /^COPY (?:--from=(\w+) )?(.+)$/.exec(line) ?? []
    if (!paths) continue
    const all = paths.split(' ')
    copies.push({ stage, from, sources: all.slice(0, -1), target: all.at(-1)! })
  }
  return copies
}

test('every way to start the server sets what "npm start" sets', () => {
  const { flags, environment } = JSON.parse(
    readFileSync(join(ROOT, 'scripts/how-to-run.json'), 'utf8'),
  )
  for (const file of ['Dockerfile', 'docent.service']) {
    const text = read(file)
    assert.ok(text.includes(`node ${flags.join(' ')} `), `the flags in ${file}`)
    for (const [name, value] of Object.entries(environment))
      assert.ok(text.includes(`${name}=${value}`), `${name} in ${file}`)
  }
})

suite('the Docker image', () => {
  const dockerfile = read('Dockerfile')
  const copies = copiesOf(dockerfile)
  const last = Math.max(...copies.map(({ stage }) => stage))

  test('copies what there is, and what its ignore file lets through', () => {
    const allowed = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const { from, sources } of copies) {
      if (from) continue
      for (const source of sources) {
        assert.ok(existsSync(join(ROOT, source)), `${source} is there`)
        assert.ok(
          allowed.some((path) => source === path || source.startsWith(`${path}/`)),
          `${source} is let through`,
        )
      }
    }
  })

  test('runs on the Node that the project asks for, and not as root', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const [, version] of dockerfile.matchAll(/^FROM node:(\d+)-slim/gm))
      assert.equal(engines.node, `>=${version}`)
    assert.match(dockerfile, /^USER node$/m)
    assert.match(dockerfile, /^HEALTHCHECK /m)
  })

  test('holds enough to serve pages and answers', async (t) => {
    // Below the root, so that Node finds the packages as in the image.
    mkdirSync(join(ROOT, '.types'), { recursive: true })
    const image = mkdtempSync(join(ROOT, '.types/image-'))
    t.after(() => rmSync(image, { recursive: true, force: true }))
    for (const { stage, from, sources, target } of copies) {
      if (stage !== last || from === 'packages') continue
      for (const source of sources) {
        const path = source.replace(/^\/app\//, '')
        // Docker copies a folder's content to the target, and a file into a target that ends with a slash.
        const isInto = target.endsWith('/')
        const to = join(image, target, isInto ? path.split('/').at(-1)! : '')
        mkdirSync(dirname(to), { recursive: true })
        cpSync(join(ROOT, path), to, { recursive: true })
      }
    }
    const [, command] = /\/app\/(apps\/server\/src\/cli\.ts) "\$@"/.exec(dockerfile)!
    const data = temporaryFolder(t)
    const store = await makeDatabase(t)
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(image, command!), 'serve'],
      { cwd: image, env: { DATA_DIR: data, ...store, PORT: '0', LOG_LEVEL: 'error' } },
    )
    t.after(() => child.kill('SIGKILL'))
    let output = ''
    for await (const line of createInterface(child.stdout)) {
      output += `${line}\n`
      if (output.includes('It is shown only once')) break
    }
    const address = /ready at (\S+)/.exec(output)![1]!
    for (const path of ['/', '/widget.js', '/docs', '/readyz'])
      assert.equal((await fetch(address + path)).status, 200, path)
    const client = new Client(address, /^Token: (\S+)$/m.exec(output)![1]!)
    const chatbot = await client.createChatbot()
    await client.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')
    const answer = await client.ask(await client.createSession(chatbot), 'When is the museum open?')
    assert.equal(await answer.text(), 'Daily from 9 to 17.')
    child.kill('SIGTERM')
    assert.deepEqual((await once(child, 'exit'))[0], 0)
  })
})

suite('the composition', () => {
  for (const file of ['compose.yaml', 'compose.cluster.yaml']) {
    test(`of ${file} names files that there are`, () => {
      const text = read(file)
      const [, dockerfile] = /dockerfile: (\S+)/.exec(text)!
      assert.ok(existsSync(join(ROOT, dockerfile!)))
      for (const [, path] of text.matchAll(/"\.\/(\S+?):\//g))
        assert.ok(existsSync(join(ROOT, 'deploy', path!)), path)
    })
  }

  test('of several nodes puts all of them behind nginx', () => {
    const nodes = [...read('compose.cluster.yaml').matchAll(/^ {2}(node-\d+):/gm)].map(([, n]) => n)
    const behind = [...read('nginx.cluster.conf').matchAll(/server (node-\d+):3000;/g)].map(
      ([, n]) => n,
    )
    assert.deepEqual(behind, nodes)
    assert.ok(nodes.length > 1)
  })
})

suite('the units of systemd', () => {
  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
  const skip = isThere ? false : 'systemd-analyze is needed: apt-get install systemd'

  test('are well-formed', { skip }, (t) => {
    const folder = temporaryFolder(t)
    const files = ['docent.service', 'docent-backup.service', 'docent-backup.timer'].map((name) => {
      const file = join(folder, name)
      writeFileSync(file, read(name).replaceAll('/opt/docent', ROOT))
      return file
    })
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
      encoding: 'utf8',
    })
    // Ignore problems of the machine's own units.
    const ours = stderr.split('\n').filter((line) => line.includes('docent'))
    assert.deepEqual(ours, [])
    assert.equal(status, 0, stderr)
  })

  test('start what there is', () => {
    const [, line] = /^ExecStart=\/opt\/docent\/(.+) serve$/m.exec(read('docent.service'))!
    const [program, ...args] = line!.split(' ')
    const { status, stdout } = spawnSync(join(ROOT, program!), [...args, 'help'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.equal(status, 0)
    assert.match(stdout, /docent serve/)
  })
})

suite('the configuration of nginx', needsNginx(), () => {
  function makeCertificate(t: TestContext) {
    const folder = temporaryFolder(t)
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = [
      '-subj',
      '/CN=chat.example.org',
      '-addext',
      'subjectAltName=DNS:chat.example.org',
    ]
    const files = ['-keyout', key, '-out', certificate]
    const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
    assert.equal(spawnSync('openssl', [...options, ...files, ...subject]).status, 0)
    return { key, certificate }
  }

  test('as it stands passes pieces of an answer on as they come, over TLS', async (t) => {
    const script = scriptedModel()
    const { address, owner } = await startTestServer(t, {
      models: [script.model],
      environment: { PUBLIC_URL: 'https://chat.example.org' },
    })
    const { key, certificate } = makeCertificate(t)
    const front = await startNginx(t, (listen) =>
      read('nginx.conf')
        .replace('server 127.0.0.1:3000;', `server ${new URL(address).host};`)
        .replace('listen 443 ssl;', `listen ${listen} ssl;`)
        .replace(/server \{\n {2}listen 80;.*?\n\}/s, '')
        .replace('/etc/letsencrypt/live/chat.example.org/fullchain.pem', certificate)
        .replace('/etc/letsencrypt/live/chat.example.org/privkey.pem', key),
    )
    const session = await owner.createSession(await owner.createChatbot())
    script.say('First')
    const asked = request({
      host: '127.0.0.1',
      port: new URL(front).port,
      servername: 'chat.example.org',
      ca: readFileSync(certificate),
      method: 'POST',
      path: `/api/v1/session/${session}/message/stream`,
      headers: {
        host: 'chat.example.org',
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
      },
    })
    asked.end(JSON.stringify({ query: 'hi' }))
    const [response] = await once(asked, 'response')
    assert.equal(response.statusCode, 200)
    assert.match(response.headers['strict-transport-security'], /max-age/)
    const reader = (ReadableStream.from(response) as ReadableStream<Uint8Array>).getReader()
    // The model sends no more until this is read, so a proxy that buffers would wait forever.
    assert.match(await readUntil(reader, 'First'), /First/)
    script.say(' and second')
    assert.match(await readUntil(reader, 'second'), /second/)
    script.finish()
    await readUntil(reader, 'never')
  })

  test('for several nodes is accepted, too, and goes to the next when one is away', async (t) => {
    const { address, owner } = await startTestServer(t)
    const { host } = new URL(address)
    const front = await startNginx(t, (listen) =>
      read('nginx.cluster.conf')
        // No server listens on port 1.
        .replace('node-1:3000', '127.0.0.1:1')
        .replaceAll(/node-\d:3000/g, host)
        .replace('listen 80;', `listen ${listen};`),
    )
    for (let i = 0; i < 6; i++) {
      const { status } = await new Client(front, owner.token).json('GET', '/chatbots')
      assert.equal(status, 200)
    }
  })
})
