import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { LanguageModel } from '@docent/server/src/models/model-catalog.ts'
import { startTestServer } from '@docent/server/test/harness.ts'
import { needsPython, PYTHON } from '@docent/server/test/machine/outside-tools.ts'

const run = promisify(execFile)

/** Streams like real models: small chunks over time, with line breaks and characters of every byte length. */
const talkative: LanguageModel = {
  name: 'talkative',
  provider: 'test',
  async *stream() {
    for (const text of [
      'Täglich ',
      'von ',
      '9',
      ' bis 17 Uhr. ',
      '[1.1]',
      '\n',
      '\nBis ',
      'bald ',
      '👋',
    ]) {
      yield { type: 'text-delta', text }
      await sleep(15)
    }
    const tokens = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 }
    yield { type: 'finish', reason: 'stop', tokens }
  },
}

const page = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end('<title>Hausordnung</title><p>Im Museum ist das Essen nicht erlaubt.</p>')
}).listen(0, '127.0.0.1')
await once(page, 'listening')
after(() => page.close())
const pageUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`

const { address, owner } = await startTestServer(
  { after },
  { models: [talkative], environment: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } },
)

/** Runs a client program, which gets only the service's address, a token and a page to add. */
async function walk(program: string, file: string, ...options: string[]): Promise<void> {
  const script = join(import.meta.dirname, 'http', file)
  const limit = { timeout: 60_000, killSignal: 'SIGKILL' } as const
  await run(program, [...options, script, address, owner.token, pageUrl], limit)
}

test(
  'a Python program with requests and strict records goes through every operation',
  needsPython(),
  async () => {
    await walk(PYTHON, 'walk_with_requests.py', '-B')
  },
)

test(
  'a Python program with aiohttp and eight streams at once goes through every operation',
  needsPython(),
  async () => {
    await walk(PYTHON, 'walk_with_aiohttp.py', '-B')
  },
)

test('a Node program with axios goes through every operation', async () => {
  await walk(process.execPath, 'walk-with-axios.ts')
})

test('a Node program with fetch goes through every operation', async () => {
  await walk(process.execPath, 'walk-with-fetch.ts')
})
