/** Messages between the main thread and a database thread. */
export interface ThreadOptions {
  file: string
  readOnly: boolean
  /** Buffer of a `CancelFlag`. */
  cancelFlag?: SharedArrayBuffer
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  mustReturn?: boolean
}

export type Transaction =
  | { id: number; kind: 'unit'; statements: Statement[] }
  | { id: number; kind: 'begin' | 'commit' | 'rollback' }
  | { id: number; kind: 'query'; statement: Statement }

/** Runs a module's reading step in the thread. */
export interface Step {
  id: number
  kind: 'step'
  module: string
  input: unknown
}

export type Request = Transaction | Step

export interface StatementResult {
  rows: Record<string, unknown>[]
  changes?: number
}

export type Reply =
  | { id: number; results: StatementResult[] | undefined }
  | { id: number; output: unknown }
  | { id: number; error: { message: string; errcode: number | undefined } }

// Copying larger buffers would block noticeably.
const LARGE_BYTES = 64 * 1024

/** Buffers to transfer instead of copying. The caller can't use them afterwards. */
export function largeBuffers(request: Request): ArrayBuffer[] {
  const large: ArrayBuffer[] = []
  if (request.kind !== 'unit') return large
  for (const { parameters } of request.statements) {
    for (const value of parameters) {
      const isLarge = value instanceof Uint8Array && value.byteLength > LARGE_BYTES
      if (isLarge) large.push(value.buffer as ArrayBuffer)
    }
  }
  return large
}
