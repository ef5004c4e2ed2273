/** Returns one byte per dimension. SQLite stores vectors as bytes, PostgreSQL as numbers. */
export function bytesOfStored(vector: Uint8Array | string): Buffer {
  return typeof vector === 'string'
    ? Buffer.from(Int8Array.from(JSON.parse(vector)).buffer)
    : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}
