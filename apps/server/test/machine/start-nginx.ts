import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../harness.ts'
import { NGINX } from './outside-tools.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** nginx from Debian with these sites and defaults for everything else. */
export async function startNginx(
  t: TestContext,
  sites: (listen: string) => string,
): Promise<string> {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'logs'))
  const listen = `127.0.0.1:${await freePort()}`
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/logs/error.log;
events {}
http {
  access_log off; gzip on; gzip_proxied any; gzip_types text/plain text/event-stream;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${sites(listen)}
}`,
  )
  const nginx = spawn(NGINX, ['-p', folder, '-c', file, '-e', join(folder, 'logs/error.log')])
  t.after(() => nginx.kill('SIGTERM'))
  for (let i = 0; i < 400; i++) {
    // Any response will do, whatever its protocol or status.
    if ((await fetch(`http://${listen}/healthz`).catch(() => undefined)) !== undefined)
      return `http://${listen}`
    await sleep(25)
  }
  throw new Error('nginx did not start')
}
