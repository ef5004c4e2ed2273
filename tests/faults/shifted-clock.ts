import { readFileSync } from 'node:fs'

// Loaded into every thread of a server: shifts its wall clock by the milliseconds that a file currently contains.
// Monotonic clocks and timers stay unchanged.

// biome-ignore lint/style/noProcessEnv: the test that starts the process sets it
const file = process.env.CLOCK_SHIFT_FILE!
const RealDate = Date

function now(): number {
  return RealDate.now() + Number(readFileSync(file, 'utf8'))
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
})
