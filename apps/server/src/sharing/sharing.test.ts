import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { FairQueue } from './fair-queue.ts'
import { Places } from './places.ts'
import { RequestTurns } from './request-turns.ts'

const UPLOADS = { limit: 'uploads', refusal: 'Too many uploads. Try again soon.' } as const

function takeAll(places: Places, owner: string): number {
  let count = 0
  try {
    for (;;) {
      places.take(owner)
      count += 1
    }
  } catch (error) {
    assert.ok(error instanceof AppError && error.limit === 'uploads')
    return count
  }
}

test('an owner who is alone takes nine tenths of the places, and another owner finds the rest', () => {
  const places = new Places({ ...UPLOADS, most: 100 })
  assert.equal(takeAll(places, 'greedy'), 90)
  assert.equal(takeAll(places, 'other'), 10)
})

test('while another owner holds a place, nobody takes more than half', () => {
  const places = new Places({ ...UPLOADS, most: 100 })
  places.take('other')
  assert.equal(takeAll(places, 'greedy'), 50)
  assert.equal(places.heldBy('greedy'), 50)
})

test('an owner who holds more than half takes nothing more until it is below half again', () => {
  const places = new Places({ ...UPLOADS, most: 10 })
  const releases = Array.from({ length: 9 }, () => places.take('greedy'))
  places.take('other')
  for (const release of releases.slice(0, 4)) release()
  assert.throws(() => places.take('greedy'), { code: 'unavailable' })
  releases[4]!()
  places.take('greedy')
})

test('an owner who was refused lately counts as one who waits, for ten seconds', () => {
  let now = 0
  const places = new Places({ ...UPLOADS, most: 2 }, () => now)
  places.take('greedy')
  places.take('other')
  assert.throws(() => places.take('late'))
  now = 9_000
  assert.equal(places.shareOf('other'), 1)
})

test('an owner who gave its place back lately finds room again, for ten seconds', () => {
  let now = 0
  const places = new Places({ ...UPLOADS, most: 10 }, () => now)
  const release = places.take('other')
  release()
  now = 9_000
  assert.equal(takeAll(places, 'greedy'), 5)
  now = 10_000
  assert.equal(takeAll(places, 'greedy'), 4)
})

test('a place that is given back twice is free once', () => {
  const places = new Places({ ...UPLOADS, most: 4 })
  places.take('one')
  const release = places.take('one')
  release()
  release()
  assert.equal(places.taken, 1)
})

test("one owner's thousand tasks do not delay another owner's first", async () => {
  const queue = new FairQueue({ atOnce: 1 })
  const order: string[] = []
  const task = (name: string) => async () => {
    await new Promise(setImmediate)
    order.push(name)
  }
  const greedy = Array.from({ length: 1000 }, () => queue.run('greedy', task('greedy')))
  await queue.run('other', task('other'))
  assert.ok(order.indexOf('other') <= 2, `it was number ${order.indexOf('other')}`)
  await Promise.all(greedy)
  assert.equal(queue.running + queue.waiting, 0)
})

test('a task whose caller leaves while it waits never starts, and its place in the queue is free', async () => {
  const waiting = { most: 1, limit: 'analytics', code: 'unavailable', refusal: 'Wait.' } as const
  const queue = new FairQueue({ atOnce: 1, waiting })
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = queue.run('one', () => promise)
  const leaving = new AbortController()
  let hasStarted = false
  const start = async () => {
    hasStarted = true
  }
  const waits = queue.run('one', start, leaving.signal)
  await assert.rejects(
    queue.run('one', async () => {}),
    { code: 'unavailable', limit: 'analytics' },
  )
  leaving.abort()
  await assert.rejects(waits, { name: 'AbortError' })
  const next = queue.run('one', async () => 'next')
  resolve()
  await running
  assert.equal(await next, 'next')
  assert.equal(hasStarted, false)
})

test('one owner runs no more at the same time than an owner may, while others run beside it', async () => {
  const queue = new FairQueue({ atOnce: 8, atOncePerOwner: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const tasks = ['a', 'a', 'a', 'b'].map((owner) => queue.run(owner, () => promise))
  assert.deepEqual([queue.running, queue.waiting], [3, 1])
  resolve()
  await Promise.all(tasks)
})

test('a task that fails gives its place to the next', async () => {
  const queue = new FairQueue({ atOnce: 1 })
  const failing = queue.run('one', () => Promise.reject(new Error('broken')))
  const next = queue.run('two', async () => 'done')
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

test("one owner's burst of requests is spread over many turns, and another owner's request is in the next one", async () => {
  const turns = new RequestTurns(10)
  const order: string[] = []
  const request = async (owner: string) => {
    await turns.take(owner)
    order.push(owner)
  }
  const burst = Array.from({ length: 100 }, () => request('greedy'))
  const other = request('other')
  assert.ok(turns.waiting > 0)
  await other
  assert.ok(order.indexOf('other') <= 12, `it was number ${order.indexOf('other')}`)
  await Promise.all(burst)
  assert.equal(order.length, 101)
  assert.equal(turns.waiting, 0)
  assert.equal(await turns.take('greedy'), undefined)
})
