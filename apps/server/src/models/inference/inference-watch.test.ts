import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { childrenRunning } from '../../../test/child-processes.ts'
import { Inference } from './inference.ts'
import { InferenceWatch, PATIENCE_WITH_BUILT_IN } from './inference-watch.ts'

const PROGRAM = 'inference-worker'

/** Watches a silent process and records when each decision is made, in steps of a quarter of a second. */
function watchSilent(t: TestContext, { isReady, moves }: { isReady: boolean; moves: boolean }) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const decided = new Map<string, number>()
  let ms = 0
  const decide = (what: string) => {
    if (!decided.has(what)) decided.set(what, ms)
  }
  const watch = new InferenceWatch(PATIENCE_WITH_BUILT_IN, {
    hasWork: () => true,
    ping: () => {},
    giveUpQuestions: () => decide('questions go on'),
    end: () => decide('it is ended'),
    hasMoved: () => moves,
  })
  t.after(() => watch.stop())
  watch.begin()
  if (isReady) watch.heard('ready')
  return (until: number) => {
    for (; ms < until; ) {
      ms += 250
      t.mock.timers.tick(250)
    }
    return Object.fromEntries(decided)
  }
}

test('a process of the models that is frozen while it starts holds a question for 3.5 seconds, and is replaced after 5', (t) => {
  const after = watchSilent(t, { isReady: false, moves: false })
  assert.deepEqual(after(3_250), {})
  assert.deepEqual(after(60_000), { 'questions go on': 3_500, 'it is ended': 5_000 })
})

test('one that works while it starts is given a minute', (t) => {
  const after = watchSilent(t, { isReady: false, moves: true })
  assert.deepEqual(after(70_000), { 'questions go on': 3_500, 'it is ended': 60_000 })
})

test('one that freezes later is replaced sooner than one that is slow', async (t) => {
  const frozen = { 'questions go on': 750, 'it is ended': 2_500 }
  await t.test((t) => {
    assert.deepEqual(watchSilent(t, { isReady: true, moves: false })(20_000), frozen)
  })
  await t.test((t) => {
    const slow = { ...frozen, 'it is ended': 10_000 }
    assert.deepEqual(watchSilent(t, { isReady: true, moves: true })(20_000), slow)
  })
})

test('a process that is stopped while it starts is known to be frozen, and another takes its passages', async (t) => {
  const inference = new Inference()
  t.after(() => inference.close())
  const task = (isQuestion: boolean) =>
    inference.run({ kind: 'embed', texts: ['Open daily until five.'], isQuestion }, 'somebody')
  const passages = task(false)
  const [frozen] = childrenRunning(process.pid, PROGRAM)
  process.kill(frozen!, 'SIGSTOP')
  await assert.rejects(task(true), /does not respond/)
  assert.equal((await passages).length, 1)
  assert.ok(!childrenRunning(process.pid, PROGRAM).includes(frozen!))
})
