import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EncoderGraph, type Weights } from './encoder-graph.ts'

// Writes trained weights as the model that the server loads.
//   node training/encoder/export.ts [--folder data/encoder] [--weights tuned.f16] [--out FILE]

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'data/encoder' },
    weights: { type: 'string', default: 'tuned.f16' },
    out: {
      type: 'string',
      default: join(import.meta.dirname, '../../server/models/embedder/meaning-en.onnx'),
    },
  },
})
writeFileSync(values.out, new EncoderGraph(readWeights()).write())

function readWeights(): Weights {
  const layout = JSON.parse(readFileSync(join(values.folder, 'layout.json'), 'utf8'))
  const bytes = new Uint8Array(readFileSync(join(values.folder, values.weights)))
  const halves = new Float16Array(bytes.buffer)
  const weights: Weights = new Map()
  let start = 0
  for (const [name, shape] of layout as [string, number[]][]) {
    const end = start + shape.reduce((product, side) => product * side, 1)
    weights.set(name, { shape, data: new Float32Array(halves.subarray(start, end)) })
    start = end
  }
  if (start !== halves.length) throw new Error(`${values.weights} does not fit layout.json`)
  return weights
}
