import { fuzzParsers, ownSamples, realSamples } from '../security/fuzz/fuzz-parsers.ts'

// Reads many damaged files.
//   npm run campaign:parsers -- [files] [seed]

const [files = 10_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const samples = [...ownSamples(), ...realSamples()]
const started = Date.now()
const result = await fuzzParsers(samples, { files, seed }, (line) =>
  process.stderr.write(`${line}, ${Math.round((Date.now() - started) / 1000)} s\n`),
)
process.stdout.write(`${JSON.stringify({ seed, samples: samples.length, ...result }, null, 2)}\n`)
process.exit(result.failures.length === 0 ? 0 : 1)
