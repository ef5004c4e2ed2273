import { type Attribute, model, type Numbers, node, port, type Type, tensor } from './onnx-file.ts'
import { quantizeColumns, quantizeRows } from './quantize.ts'

/** Trained tensors by name. */
export type Weights = Map<string, { shape: number[]; data: Float32Array }>

/** How large the numbers get that are multiplied with each of these weights. */
export type Ranges = Record<string, number>

const WINDOW = 256
const SIZE = 512
const HEADS = 4
const FLOAT32 = 1

/**
 * The encoder as an ONNX model: two transformer layers over pieces and their places, the mean over the text, one dense
 * layer, unit length. `encoder.py` is the same in PyTorch, before rounding.
 */
export class EncoderGraph {
  readonly #weights: Weights
  readonly #ranges: Ranges | undefined
  readonly #nodes: Uint8Array[] = []
  readonly #tensors: Uint8Array[] = []
  readonly #outputs = [port('embedding', 'float', ['B', SIZE])]
  #names = 0

  /** Without ranges it multiplies in floating point, and also says how large each factor is. */
  constructor(weights: Weights, ranges?: Ranges) {
    this.#weights = weights
    this.#ranges = ranges
  }

  write(): Uint8Array {
    const embedded = this.#embed()
    const mask = this.#op('Unsqueeze', ['mask', this.#whole(2)])
    const places = this.#places()
    const placed = this.#op('Add', [this.#op('Add', [embedded, embedded]), places])
    let states = this.#op('Mul', [placed, mask])
    const outside = this.#outside()
    states = this.#layer(states, 0, outside)
    states = this.#layer(states, 1, outside)
    const pooled = this.#mean(states, mask)
    const product = this.#op('MatMul', [pooled, this.#weight('tanh.w')])
    const dense = this.#op('Tanh', [this.#op('Add', [product, this.#weight('tanh.b')])])
    this.#nodes.push(node('LpNormalization', [dense], ['embedding'], { axis: -1, p: 2 }))
    return model({
      nodes: this.#nodes,
      tensors: this.#tensors,
      inputs: [port('ids', 'int64', ['B', 'T']), port('mask', 'float', ['B', 'T'])],
      outputs: this.#outputs,
    })
  }

  #embed(): string {
    const { shape, data } = this.#given('emb')
    const [pieces, width] = shape as [number, number]
    const { values, scales } = quantizeRows(data, pieces, width)
    const table = this.#constant(shape, values, 'int8')
    const rows = this.#op('Cast', [this.#op('Gather', [table, 'ids'], { axis: 0 })], {
      to: FLOAT32,
    })
    const scale = this.#op('Gather', [this.#constant([pieces], scales), 'ids'], { axis: 0 })
    return this.#op('Mul', [rows, this.#op('Unsqueeze', [scale, this.#whole(2)])])
  }

  /** Sines and cosines of a piece's place, for as many places as there are pieces. */
  #places(): string {
    const { data: frequencies } = this.#given('inv')
    const half = frequencies.length
    const table = new Float32Array(WINDOW * 2 * half)
    for (let place = 0; place < WINDOW; place++)
      for (const [i, frequency] of frequencies.entries()) {
        table[place * 2 * half + i] = Math.sin(place * frequency)
        table[place * 2 * half + half + i] = Math.cos(place * frequency)
      }
    const shape = this.#op('Shape', ['ids'])
    const length = this.#op('Slice', [shape, this.#whole(1), this.#whole(2)])
    const all = this.#constant([WINDOW, 2 * half], table)
    return this.#op('Slice', [all, this.#whole(0), length, this.#whole(0)])
  }

  /** What is added to attention: nothing inside the text, a very low number in the padding. */
  #outside(): string {
    const mask = this.#op('Unsqueeze', ['mask', this.#whole(1, 2)])
    const less = this.#op('Sub', [mask, this.#scalar(1)])
    return this.#op('Mul', [less, this.#scalar(1e9)])
  }

  #layer(states: string, layer: number, outside: string): string {
    const normed = this.#normalize(states, `${layer}.ln1`)
    const heard = this.#linear(this.#attend(normed, layer, outside), `${layer}.out`)
    const carried = this.#weights.has(`${layer}.res.w`)
      ? this.#linear(states, `${layer}.res`)
      : states
    const sum = this.#op('Add', [heard, carried])
    const wide = this.#linear(this.#normalize(sum, `${layer}.ln2`), `${layer}.f1`)
    const narrow = this.#linear(this.#op('Relu', [wide]), `${layer}.f2`)
    return this.#op('Add', [narrow, sum])
  }

  #attend(states: string, layer: number, outside: string): string {
    const width = this.#given(`${layer}.qkv.w`).shape[0]!
    const size = width / HEADS
    const joined = this.#linear(states, `${layer}.qkv`)
    const thirds = this.#whole(width, width, width)
    const [query, key, value] = this.#ops('Split', [joined, thirds], { axis: 2 }, 3)
    const shape = this.#whole(0, 0, HEADS, size)
    const heads = (input: string, perm: number[]) =>
      this.#op('Transpose', [this.#op('Reshape', [input, shape])], { perm })
    const scale = 1 / Math.sqrt(size)
    const scaled = this.#op('Mul', [heads(query!, [0, 2, 1, 3]), this.#scalar(scale)])
    const scores = this.#op('MatMul', [scaled, heads(key!, [0, 2, 3, 1])])
    const weights = this.#op('Softmax', [this.#op('Add', [scores, outside])], { axis: -1 })
    const mixed = this.#op('MatMul', [weights, heads(value!, [0, 2, 1, 3])])
    const inOrder = this.#op('Transpose', [mixed], { perm: [0, 2, 1, 3] })
    return this.#op('Reshape', [inOrder, this.#whole(0, 0, width)])
  }

  #mean(states: string, mask: string): string {
    const axis = this.#whole(1)
    const inside = this.#op('Mul', [states, mask])
    const sum = this.#op('ReduceSum', [inside, axis], { keepdims: 0 })
    const length = this.#op('ReduceSum', ['mask', axis], { keepdims: 1 })
    return this.#op('Div', [sum, this.#op('Max', [length, this.#scalar(1)])])
  }

  #normalize(states: string, name: string): string {
    const inputs = [states, this.#weight(`${name}.w`), this.#weight(`${name}.b`)]
    return this.#op('LayerNormalization', inputs, { axis: -1, epsilon: { float: 1e-6 } })
  }

  #linear(states: string, name: string): string {
    return this.#ranges
      ? this.#roundedLinear(states, name, this.#ranges)
      : this.#linearAndRange(states, name)
  }

  /**
   * States are rounded by steps that are the same for all texts: by steps of its own for each batch, a text's vector would
   * depend on the texts beside it. After a Relu no number is below zero, and the steps can be half as large.
   */
  #roundedLinear(states: string, name: string, ranges: Ranges): string {
    const { shape, data } = this.#given(`${name}.w`)
    const [rows, columns] = shape as [number, number]
    const { values, scales } = quantizeColumns(data, rows, columns)
    const [highest, middle] = name.endsWith('.f2') ? [255, 0] : [127, 128]
    const step = this.#scalar(ranges[name]! / highest)
    const zero = this.#constant([], Uint8Array.of(middle), 'uint8')
    return this.#op('MatMulIntegerToFloat', [
      this.#op('QuantizeLinear', [states, step, zero]),
      this.#constant(shape, values, 'int8'),
      step,
      this.#constant([columns], scales),
      zero,
      this.#constant([], Int8Array.of(0), 'int8'),
      this.#weight(`${name}.b`),
    ])
  }

  #linearAndRange(states: string, name: string): string {
    const largest = { axes: [-1], keepdims: 0 }
    this.#nodes.push(node('ReduceMax', [this.#op('Abs', [states])], [name], largest))
    this.#outputs.push(port(name, 'float', ['B', 'T']))
    const product = this.#op('MatMul', [states, this.#weight(`${name}.w`)])
    return this.#op('Add', [product, this.#weight(`${name}.b`)])
  }

  #given(name: string): { shape: number[]; data: Float32Array } {
    const weight = this.#weights.get(name)
    if (!weight) throw new Error(`There are no weights ${name}`)
    return weight
  }

  #weight(name: string): string {
    const { shape, data } = this.#given(name)
    return this.#constant(shape, data)
  }

  #whole(...values: number[]): string {
    return this.#constant([values.length], BigInt64Array.from(values, BigInt), 'int64')
  }

  #scalar(value: number): string {
    return this.#constant([], Float32Array.of(value))
  }

  #constant(shape: number[], values: Numbers, type: Type = 'float'): string {
    const name = this.#name('c')
    this.#tensors.push(tensor(name, shape, type, values))
    return name
  }

  #op(operator: string, inputs: string[], attributes: Record<string, Attribute> = {}): string {
    return this.#ops(operator, inputs, attributes, 1)[0]!
  }

  #ops(
    operator: string,
    inputs: string[],
    attributes: Record<string, Attribute>,
    count: number,
  ): string[] {
    const outputs = Array.from({ length: count }, () => this.#name(operator))
    this.#nodes.push(node(operator, inputs, outputs, attributes))
    return outputs
  }

  #name(start: string): string {
    return `${start}_${this.#names++}`
  }
}
