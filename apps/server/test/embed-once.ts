import { Inference } from '../src/models/inference/inference.ts'

// A process of its own that has one text embedded, as the server does, and says how long its vector is.
const inference = new Inference()
const texts = ['Daily from 9 to 17.']
const [vector] = await inference.run({ kind: 'embed', texts, isQuestion: false }, 'somebody')
await inference.close()
process.stdout.write(`${vector!.length}\n`)
