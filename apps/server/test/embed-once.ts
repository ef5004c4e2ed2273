import { Inference } from '../src/models/inference/inference.ts'

// Embeds a text in its own process, as the server does, and prints the length of the vector.
const inference = new Inference()
const texts = ['Daily from 9 to 17.']
const [vector] = await inference.run({ kind: 'embed', texts, isQuestion: false }, 'somebody')
await inference.close()
process.stdout.write(`${vector!.length}\n`)
