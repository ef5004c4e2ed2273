import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DocentProcess, residentMb, startScript } from '../support/docent-process.ts'
import { ms } from '../support/rows.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { p99, QuietCaller, type Times } from './quiet-caller.ts'
import { makeOwners, type World } from './world.ts'

const HELP = `One caller does its worst while another owner reads and asks. Two quiet cores are assumed.

  npm run campaign:greedy                        every attack, twenty seconds each
  npm run campaign:greedy -- uploads analytics   only these
  npm run campaign:greedy -- --seconds 60        so long each

Attacks: ${Object.keys(ATTACKS).join(', ')}
`
const BASELINE_MS = 5_000
const WATCH_EVERY_MS = 250
const MOST_READ_MS = 100
const MOST_ANSWER_MS = 1_000
const MOST_MB = 600

const given = process.argv.slice(2)
const place = given.indexOf('--seconds')
const seconds = place < 0 ? 20 : Number(given.splice(place, 2)[1])
if (given.some((name) => !ATTACKS[name]) || !(seconds > 0)) {
  process.stdout.write(HELP)
  process.exit(given.includes('--help') ? 0 : 2)
}

process.stdout.write(
  `Bars: read p99 ${MOST_READ_MS} ms, built-in answer p99 ${MOST_ANSWER_MS} ms, server ${MOST_MB} MB, nothing refused.\n\n`,
)
process.stdout.write(
  '| attack | read p99, before → during | answer p99, before → during | server | refused |\n',
)
process.stdout.write('|---|---|---|---|---|\n')
let missed = 0
for (const name of given.length > 0 ? given : Object.keys(ATTACKS)) {
  const { before, during, mostMb } = await underAttack(name, ATTACKS[name]!)
  const held =
    p99(during.read) <= MOST_READ_MS &&
    p99(during.answer) <= MOST_ANSWER_MS &&
    mostMb <= MOST_MB &&
    during.failures.length === 0
  if (!held) missed += 1
  const cells = [
    `${ATTACKS[name]!.what}${held ? '' : ' ✗'}`,
    `${ms(p99(before.read))} → ${ms(p99(during.read))}`,
    `${ms(p99(before.answer))} → ${ms(p99(during.answer))}`,
    `${mostMb} MB`,
    `${during.failures.length}${during.failures.length > 0 ? ` (${during.failures[0]})` : ''}`,
  ]
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
process.stdout.write(missed === 0 ? '\nEvery bar is met.\n' : `\n✗ misses a bar: ${missed}\n`)
process.exit(missed === 0 ? 0 : 1)

async function underAttack(name: string, { fill = () => {} }: Attack) {
  const provider = await startScript('stream-provider.ts')
  const { folder, owners } = await makeOwners(fill)
  const docent = await DocentProcess.start(
    {
      LOG_LEVEL: 'error',
      OPENAI_BASE_URL: `${provider.address}/v1`,
      OPENAI_MODELS: 'silent',
      DEFAULT_MODEL: 'docent-quote',
    },
    { folder, token: owners.quiet.token },
  )
  const world: World = { ...owners, address: docent.address, pid: docent.child.pid! }
  const quiet = new QuietCaller(world)
  await quiet.settle()
  const before = await quiet.measure(BASELINE_MS)
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'))
  attacker.send({ name, world })
  const memory = watchMemory(world.pid)
  const during = await quiet.measure(seconds * 1_000)
  const mostMb = memory.stop()
  attacker.kill('SIGKILL')
  await once(attacker, 'exit')
  quiet.close()
  await docent.stop('SIGKILL')
  provider.stop()
  return { before, during, mostMb } satisfies { before: Times; during: Times; mostMb: number }
}

function watchMemory(pid: number): { stop: () => number } {
  let most = 0
  const ending = new AbortController()
  const watch = async () => {
    while (!ending.signal.aborted) {
      most = Math.max(most, residentMb(pid))
      await sleep(WATCH_EVERY_MS)
    }
  }
  void watch()
  return {
    stop: () => {
      ending.abort()
      return most
    },
  }
}
