import { startTestServer } from '@docent/server/test/harness.ts'
import { fuzzInterface } from '../security/fuzz/fuzz-interface.ts'

// Sends many requests of every kind to a server on this machine.
//   npm run campaign:fuzz -- [requests] [seed]

const [requests = 100_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const ends: (() => unknown)[] = []
const server = await startTestServer({ after: (end) => ends.push(end) })
const started = Date.now()
const result = await fuzzInterface(server, { requests, seed }, (line) =>
  process.stderr.write(`${line}, ${Math.round((Date.now() - started) / 1000)} s\n`),
)
const health = (await fetch(`${server.address}/healthz`)).status
for (const end of ends.reverse()) await end()
process.stdout.write(`${JSON.stringify({ seed, health, ...result }, null, 2)}\n`)
process.exit(result.failures.length === 0 && health === 200 ? 0 : 1)
