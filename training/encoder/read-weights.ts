import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Weights } from './encoder-graph.ts'

/** Weights as `train.py` wrote them, named and shaped by the folder's `layout.json`. */
export function readWeights(folder: string, file: string): Weights {
  const layout = JSON.parse(readFileSync(join(folder, 'layout.json'), 'utf8'))
  const bytes = new Uint8Array(readFileSync(join(folder, file)))
  const halves = new Float16Array(bytes.buffer)
  const weights: Weights = new Map()
  let start = 0
  for (const [name, shape] of layout as [string, number[]][]) {
    const end = start + shape.reduce((product, side) => product * side, 1)
    weights.set(name, { shape, data: new Float32Array(halves.subarray(start, end)) })
    start = end
  }
  if (start !== halves.length) throw new Error(`${file} does not fit layout.json`)
  return weights
}
