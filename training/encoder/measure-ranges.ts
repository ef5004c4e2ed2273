import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
// biome-ignore lint/correctness/noUndeclaredDependencies: The server's, which runs the model that comes out of this.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { EncoderGraph, type Ranges } from './encoder-graph.ts'
import { readWeights } from './read-weights.ts'

// How large numbers get on their way through the model, over texts of the training: its steps of rounding follow from that.
//   node training/encoder/measure-ranges.ts [--folder data/encoder] [--weights tuned.f16]

const TEXTS = 2_000
// What is larger than all but one of a thousand is cut off: finer steps for the others are worth more.
const WITHIN = 0.999

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'data/encoder' },
    weights: { type: 'string', default: 'tuned.f16' },
  },
})
const graph = new EncoderGraph(readWeights(values.folder, values.weights))
const session = await InferenceSession.create(graph.write())
const seen = new Map<string, number[]>()
for (const pieces of someTexts()) {
  const shape = [1, pieces.length]
  const { embedding: _, ...largest } = await session.run({
    ids: new Tensor('int64', BigInt64Array.from(pieces, BigInt), shape),
    mask: new Tensor('float32', new Float32Array(pieces.length).fill(1), shape),
  })
  for (const [name, { data }] of Object.entries(largest)) {
    if (!seen.has(name)) seen.set(name, [])
    seen.get(name)!.push(...(data as Float32Array))
  }
}
const ranges: Ranges = {}
for (const [name, sizes] of seen)
  ranges[name] = sizes.sort((a, b) => a - b)[Math.floor((sizes.length - 1) * WITHIN)]!
writeFileSync(join(values.folder, 'ranges.json'), JSON.stringify(ranges))

function* someTexts(): Generator<Uint16Array> {
  const pieces = readNumbers('pieces.u16')
  const lengths = readNumbers('lengths.u16')
  const every = Math.ceil(lengths.length / TEXTS)
  let start = 0
  for (const [i, length] of lengths.entries()) {
    if (i % every === 0 && length > 0) yield pieces.subarray(start, start + length)
    start += length
  }
}

function readNumbers(file: string): Uint16Array {
  return new Uint16Array(new Uint8Array(readFileSync(join(values.folder, file))).buffer)
}
