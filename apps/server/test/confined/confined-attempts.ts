import { execFileSync } from 'node:child_process'
import dgram from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { connect as connectTls } from 'node:tls'
import { Worker } from 'node:worker_threads'

// Runs in the confined process and tries what a document could try after taking over its parser.
await import('../../src/ingestion/confined/document-worker.ts')

const attempts: Record<string, (port: number) => unknown> = {
  'read a file': () => readFileSync('/etc/hostname'),
  'write a file': () => writeFileSync(join(tmpdir(), 'docent-attempt'), ''),
  'start a process': () => execFileSync('true'),
  'start a thread': () => new Worker('', { eval: true }),
  'make code of a string': () => new Function('return 1')(),
  'see the environment': () => {
    if (Object.keys(env).length === 0) throw new Error('Nothing to see')
  },
  'open a connection': (port) => createConnection(port, '127.0.0.1'),
  'open an encrypted connection': (port) => connectTls(port, '127.0.0.1'),
  'send a request': (port) => get(`http://127.0.0.1:${port}`),
  'open a connection of HTTP/2': (port) => connectHttp2(`http://127.0.0.1:${port}`),
  'fetch a page': (port) => fetch(`http://127.0.0.1:${port}`),
  'send a datagram': (port) => dgram.createSocket('udp4').send('x', port, '127.0.0.1'),
  'look up a name': () => lookup('localhost'),
  'reach below the libraries': () =>
    (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap'),
}

process.on('message', async ({ port, files }: { port: number; files: string[] }) => {
  for (const file of files) attempts[`read ${file}`] = () => readFileSync(file)
  const succeeded: string[] = []
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt(port)
      succeeded.push(name)
    } catch {
      // The attempt must fail.
    }
  }
  process.send!({ attempted: Object.keys(attempts).length, succeeded })
})
process.send!({ listening: true })
