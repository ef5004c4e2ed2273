export function addScaled(sum: Float32Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += factor * vector[i]!
}

export function normalize(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares) || 1
  return vector.map((value) => value / length)
}

/** One byte per dimension. Only the direction counts, and the loss is too small to measure. */
export function toBytes(vector: Float32Array): Uint8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = 127 / (largest || 1)
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer)
}

/** One bit per dimension: its sign. Near vectors differ in few bits, and counting bits is fast. */
export function toSigns(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8))
  for (let i = 0; i < vector.length; i++) {
    if (vector[i]! > 0) signs[i >> 3]! |= 1 << (i & 7)
  }
  return signs
}

/** `toSigns` for a vector stored as bytes. */
export function signsOfBytes(bytes: Uint8Array): Uint8Array {
  return toSigns(Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
}

/** Returns the cosine between a vector and a vector stored as bytes. */
export function cosine(vector: Float32Array, bytes: Uint8Array): number {
  const stored = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (stored.length !== vector.length) return 0
  let product = 0
  let squares = 0
  let storedSquares = 0
  for (let i = 0; i < vector.length; i++) {
    const a = vector[i]!
    const b = stored[i]!
    product += a * b
    squares += a * a
    storedSquares += b * b
  }
  return squares === 0 || storedSquares === 0 ? 0 : product / Math.sqrt(squares * storedSquares)
}
