import { makeAskers } from './messages.ts'
import { DocentProcess, readText } from './support/docent-process.ts'

const HELP = `A day's worth of messages, one after the other from a few people, and what the server's memory does meanwhile.

  npm run campaign:day              20,000 messages
  npm run campaign:day -- 2000      so many
`
const PEOPLE = 8
const STEPS = 10
// After the first messages all code is loaded and compiled. From then on memory must not keep growing.
const MOST_GROWTH_MB = 30

const [given = '20000'] = process.argv.slice(2)
const messages = Number(given)
if (!Number.isSafeInteger(messages) || messages < STEPS) {
  process.stdout.write(HELP)
  process.exit(given === '--help' ? 0 : 2)
}

const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
const askers = await makeAskers(docent, PEOPLE)
const sizes: number[] = []
const begun = performance.now()
for (let step = 0; step < STEPS; step++) {
  let left = Math.floor(messages / STEPS)
  const ask = async (asker: (typeof askers)[number]) => {
    while (left-- > 0) await readText(await asker())
  }
  await Promise.all(askers.map(ask))
  sizes.push(docent.residentMb())
  process.stdout.write(`${((step + 1) * messages) / STEPS} messages: ${sizes.at(-1)} MB\n`)
}
const rate = (messages * 1000) / (performance.now() - begun)
await docent.stop()
const half = sizes.slice(STEPS / 2)
const growth = Math.max(...half) - half[0]!
process.stdout.write(
  `${Math.round(rate)} a second; over its second half it grew by ${growth} MB (at most ${MOST_GROWTH_MB}).\n`,
)
process.exit(growth <= MOST_GROWTH_MB ? 0 : 1)
