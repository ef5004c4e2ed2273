import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EncoderGraph } from './encoder-graph.ts'
import { readWeights } from './read-weights.ts'

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
const ranges = JSON.parse(readFileSync(join(values.folder, 'ranges.json'), 'utf8'))
const weights = readWeights(values.folder, values.weights)
writeFileSync(values.out, new EncoderGraph(weights, ranges).write())
