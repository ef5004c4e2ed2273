// Weights as whole numbers with a scale each for what is multiplied by one of them.

/** Seven bits: products of eight overflow on processors with AVX2 and without VNNI. */
const HIGHEST_OF_PRODUCT = 63
/** What is only looked up may have eight. */
const HIGHEST_OF_ROW = 127

export interface Quantized {
  values: Int8Array
  scales: Float32Array
}

/** A matrix [rows, columns] that texts are multiplied with: one scale a column. */
export function quantizeColumns(weights: Float32Array, rows: number, columns: number): Quantized {
  const values = new Int8Array(rows * columns)
  const scales = new Float32Array(columns)
  for (let c = 0; c < columns; c++) {
    let largest = 0
    for (let r = 0; r < rows; r++) largest = Math.max(largest, Math.abs(weights[r * columns + c]!))
    scales[c] = largest / HIGHEST_OF_PRODUCT || 1
    for (let i = c; i < values.length; i += columns) {
      const rounded = Math.round(weights[i]! / scales[c]!)
      values[i] = Math.max(-HIGHEST_OF_PRODUCT, Math.min(HIGHEST_OF_PRODUCT, rounded))
    }
  }
  return { values, scales }
}

/** A table [rows, columns] from which rows are taken: one scale a row. */
export function quantizeRows(table: Float32Array, rows: number, columns: number): Quantized {
  const values = new Int8Array(rows * columns)
  const scales = new Float32Array(rows)
  for (let r = 0; r < rows; r++) {
    const row = table.subarray(r * columns, (r + 1) * columns)
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    scales[r] = largest / HIGHEST_OF_ROW || 1
    for (const [c, value] of row.entries()) values[r * columns + c] = Math.round(value / scales[r]!)
  }
  return { values, scales }
}
