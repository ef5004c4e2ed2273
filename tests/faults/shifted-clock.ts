import { readFileSync } from 'node:fs'

// Loaded before a server, in every thread of it: its clock on the wall is wrong by as many milliseconds as the file says
// at that moment. What counts time without a clock, as timers do, goes on as it is.

// biome-ignore lint/style/noProcessEnv: it is for the test that starts the process
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
