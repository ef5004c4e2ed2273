import type { FieldProblem } from './error-codes.ts'

/** For a schema's own check: what programs are told of a value that fails it. */
export function saying(problem: FieldProblem): { problem: FieldProblem } {
  return { problem }
}
