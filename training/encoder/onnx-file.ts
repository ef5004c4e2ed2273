// As much of ONNX's protocol buffers as the encoder needs. Field numbers are those of onnx.proto.

export type Type = 'float' | 'uint8' | 'int8' | 'int64'
export type Numbers = Float32Array | Uint8Array | Int8Array | BigInt64Array
/** Whole numbers are written as such, `{ float }` as a floating-point one. */
export type Attribute = number | number[] | { float: number }

const TYPES: Record<Type, number> = { float: 1, uint8: 2, int8: 3, int64: 7 }
const FLOAT = 1
const INT = 2
const INTS = 7
const IR_VERSION = 8
const OPSET = 17
// What ONNX Runtime adds to the standard.
const RUNTIME = 'com.microsoft'
const OF_RUNTIME = new Set(['MatMulIntegerToFloat'])

export function tensor(name: string, shape: number[], type: Type, values: Numbers): Uint8Array {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const sides = shape.map((side) => whole(1, side))
  return join(...sides, whole(2, TYPES[type]), text(8, name), bytes(9, raw))
}

export function node(
  operator: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, Attribute>,
): Uint8Array {
  return join(
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(3, `${outputs[0]}_n`),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
    ...(OF_RUNTIME.has(operator) ? [text(7, RUNTIME)] : []),
  )
}

/** An input or output of the model. Sides that have a name may have any length. */
export function port(name: string, type: Type, shape: (number | string)[]): Uint8Array {
  const sides = shape.map((side) =>
    bytes(1, typeof side === 'string' ? text(2, side) : whole(1, side)),
  )
  const tensorType = join(whole(1, TYPES[type]), bytes(2, join(...sides)))
  return join(text(1, name), bytes(2, bytes(1, tensorType)))
}

export interface Graph {
  nodes: Uint8Array[]
  tensors: Uint8Array[]
  inputs: Uint8Array[]
  outputs: Uint8Array[]
}

export function model({ nodes, tensors, inputs, outputs }: Graph): Uint8Array {
  const graph = join(
    ...nodes.map((part) => bytes(1, part)),
    text(2, 'g'),
    ...tensors.map((part) => bytes(5, part)),
    ...inputs.map((part) => bytes(11, part)),
    ...outputs.map((part) => bytes(12, part)),
  )
  const operators = join(text(1, ''), whole(2, OPSET))
  const ofRuntime = join(text(1, RUNTIME), whole(2, 1))
  return join(
    whole(1, IR_VERSION),
    text(2, 'proto'),
    bytes(7, graph),
    bytes(8, operators),
    bytes(8, ofRuntime),
  )
}

function attribute(name: string, value: Attribute): Uint8Array {
  if (typeof value === 'number') return join(text(1, name), whole(3, value), whole(20, INT))
  if (Array.isArray(value))
    return join(text(1, name), ...value.map((item) => whole(8, item)), whole(20, INTS))
  return join(text(1, name), single(2, value.float), whole(20, FLOAT))
}

function whole(field: number, value: number): Uint8Array {
  return join(varint(field << 3), varint(value))
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return join(varint((field << 3) | 2), varint(value.length), value)
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value))
}

function single(field: number, value: number): Uint8Array {
  return join(varint((field << 3) | 5), new Uint8Array(Float32Array.of(value).buffer))
}

/** Seven bits a byte, lowest first; negative numbers as 64 bits. */
function varint(value: number): Uint8Array {
  const coded: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) coded.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...coded, Number(rest)])
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
