import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { flipBit } from '@docent/server/test/files/change-sealed.ts'
import { Client, type Ends } from '@docent/server/test/harness.ts'
import { makeSmallDisk, needsMounting } from '@docent/server/test/machine/small-disk.ts'
import { docent, LAUNCHER, serve } from '@docent/server/test/run-docent.ts'
import { makePowerDisk } from '../faults/power-disk.ts'
import { runCampaign } from './kill-campaign.ts'

// Repeats faults of disks and files, each time at another moment and another place:
//   npm run campaign:faults -- [rounds]
// Cuts a disk's power under a working server, fills a disk during writes, kills backups and restores, and changes a bit
// of a backup. After each fault the server must have everything that it acknowledged.

const PROMPT = 'A museum shows things that people made long ago. '.repeat(40)

interface World {
  folder: string
  token: string
  /** Names that the server acknowledged. */
  names: string[]
}

async function onServer(world: World, use: (client: Client) => Promise<void>): Promise<void> {
  const child = await serve(world.folder)
  try {
    world.token ||= child.token!
    await use(new Client(child.address, world.token))
  } finally {
    await child.end(Math.random() < 0.5 ? 'SIGTERM' : 'SIGKILL')
  }
}

async function checkNames(client: Client, names: string[]): Promise<void> {
  const { body } = await client.json('GET', '/chatbots')
  const there = new Set(body.map(({ name }: { name: string }) => name))
  assert.deepEqual(
    names.filter((name) => !there.has(name)),
    [],
    'everything that was acknowledged is there',
  )
}

async function fillDisk(ends: Ends, world: World, round: number): Promise<number> {
  const disk = makeSmallDisk(ends, 24)
  const small: World = { folder: join(disk.folder, 'data'), token: '', names: [] }
  let refused = 0
  await onServer(small, async (client) => {
    const filling = sleep(Math.random() * 800).then(() => disk.fill(Math.random() * 300_000))
    for (let i = 0; i < 400 && refused < 5; i++) {
      const name = `${round}.${i}`
      const { status } = await client.json('POST', '/chatbot/create', { name, prompt: PROMPT })
      assert.ok(status === 200 || status === 503, `${status}`)
      if (status === 200) small.names.push(name)
      else refused += 1
    }
    await filling
  })
  disk.createVectorTables()
  await onServer(small, (client) => checkNames(client, small.names))
  world.names.push(...(await addSome(world, round)))
  return refused
}

/** Cuts power ten times a round. */
async function cutPower(ends: Ends, round: number): Promise<number> {
  const disk = makePowerDisk(ends, 512)
  if (!disk) return 0
  return (await runCampaign(10, round, { disk })).kills
}

async function addSome(world: World, round: number): Promise<string[]> {
  const names: string[] = []
  await onServer(world, async (client) => {
    await checkNames(client, world.names)
    for (let i = 0; i < 5; i++) {
      await client.createChatbot({ name: `kept ${round}.${i}`, prompt: PROMPT })
      names.push(`kept ${round}.${i}`)
    }
  })
  return names
}

/** Kills a command at a random moment. Returns true if it was still running. */
async function kill(world: World, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { DATA_DIR: world.folder },
    detached: true,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  await sleep(Math.random() * 1_500)
  const isAtWork = child.exitCode === null
  if (isAtWork) process.kill(-child.pid!, 'SIGKILL')
  await exited
  return isAtWork
}

async function run(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-faults-'))
  const world: World = { folder: join(folder, 'data'), token: '', names: [] }
  const canMount = needsMounting().skip === false
  const result = {
    rounds: 0,
    powerCuts: 0,
    refusedWrites: 0,
    killed: 0,
    damagedRefused: 0,
    kept: 0,
  }
  const good = join(folder, 'good.gz')
  const bad = join(folder, 'bad.gz')
  try {
    world.names.push(...(await addSome(world, 0)))
    for (; result.rounds < rounds; result.rounds++) {
      const ends: (() => unknown)[] = []
      const register: Ends = { after: (end) => void ends.push(end) }
      result.powerCuts += await cutPower(register, result.rounds + 1)
      if (canMount) result.refusedWrites += await fillDisk(register, world, result.rounds + 1)
      for (const end of ends) end()

      if (await kill(world, ['backup', good, '--force'])) result.killed += 1
      const made = await docent(world.folder, ['backup', good, '--force'])
      assert.equal(made.code, 0, made.stderr)
      const bytes = readFileSync(good)
      for (let i = 0; i < 3; i++) {
        writeFileSync(
          bad,
          i < 2 ? flipBit(bytes, Math.random()) : bytes.subarray(0, Math.random() * bytes.length),
        )
        const { code } = await docent(world.folder, ['restore', bad, '--force'])
        assert.equal(code, 1, 'a damaged backup is refused')
        result.damagedRefused += 1
      }
      if (await kill(world, ['restore', good, '--force'])) result.killed += 1
      await onServer(world, (client) => checkNames(client, world.names))
      process.stdout.write(
        `${JSON.stringify({ ...result, rounds: result.rounds + 1, kept: world.names.length })}\n`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await run(Number(process.argv[2] ?? 20))
