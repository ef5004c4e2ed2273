import type { FieldProblem } from './error-codes.ts'

/** For a schema's `refine`: the machine-readable problem of a rejected value. */
export function saying(problem: FieldProblem): { problem: FieldProblem } {
  return { problem }
}
