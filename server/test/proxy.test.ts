import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { readUntil, scriptedModel, startTestServer, temporaryFolder } from './harness.ts'
import { NGINX, needsNginx } from './outside-tools.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** nginx as Debian ships it, in front of the server; what is not said here is its default. */
async function startNginx(t: TestContext, upstream: string, settings: string): Promise<string> {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'logs'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/logs/error.log;
events {}
http {
  access_log off; gzip on; gzip_proxied any; gzip_types text/plain text/event-stream;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; ${settings} }
  }
}`,
  )
  const nginx = spawn(NGINX, ['-p', folder, '-c', file, '-e', join(folder, 'logs/error.log')])
  t.after(() => nginx.kill('SIGTERM'))
  const address = `http://127.0.0.1:${port}`
  for (let i = 0; i < 400; i++) {
    if ((await fetch(`${address}/healthz`).catch(() => undefined))?.ok) return address
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('nginx did not start')
}

suite('behind nginx', needsNginx(), () => {
  for (const [name, settings] of [
    ['in its default configuration', ''],
    ['with buffering on', 'proxy_buffering on; proxy_buffers 16 64k; proxy_http_version 1.1;'],
  ] as const) {
    for (const accept of ['text/plain', 'text/event-stream']) {
      test(`${name}, each piece of ${accept} arrives at once`, async (t) => {
        const script = scriptedModel()
        const { address, owner } = await startTestServer(t, { models: [script.model] })
        const front = await startNginx(t, address, settings)
        const session = await owner.createSession(await owner.createChatbot())
        script.say('First')
        const response = await fetch(`${front}/api/v1/session/${session}/message/stream`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${owner.token}`,
            'content-type': 'application/json',
            accept,
          },
          body: JSON.stringify({ query: 'hi' }),
        })
        const reader = response.body!.getReader()
        // Nothing more is said before it is read: a proxy that gathers would wait for ever.
        assert.match(await readUntil(reader, 'First'), /First/)
        script.say(' and second')
        assert.match(await readUntil(reader, 'second'), /second/)
        script.finish()
        await readUntil(reader, 'never')
      })
    }
  }
})
