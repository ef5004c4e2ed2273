import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
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

// Tests the files of deploy/ as far as possible without Docker and without the machine's systemd.

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8')

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
  const { engines, workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

  test('is built from what there is, and from the manifest of every package', () => {
    const allowed = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const path of allowed) assert.notDeepEqual(globSync(path, { cwd: ROOT }), [], path)
    const manifests = workspaces.map((folder: string) => `${folder}/package.json`)
    for (const manifest of globSync(manifests, { cwd: ROOT })) {
      const isAllowed = allowed.some((path) => `${manifest}/`.startsWith(`${path}/`))
      assert.ok(isAllowed, `${manifest} is let through`)
    }
  })

  test('runs on the Node that the project asks for, and not as root', () => {
    const dockerfile = read('Dockerfile')
    for (const [, version] of dockerfile.matchAll(/^FROM node:(\d+)-slim/gm))
      assert.equal(engines.node, `>=${version}`)
    assert.match(dockerfile, /^USER node$/m)
    assert.match(dockerfile, /^HEALTHCHECK /m)
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
