import type { FieldProblem } from '@docent/contract/failures/error-codes.ts'

/** A finding of the validator. */
interface Finding {
  code: string
  /** Of a check of our own: see `saying`. */
  params?: { problem?: FieldProblem }
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  format?: string
  /** See `sayWhatIsWrong`. */
  isMissing?: boolean
}

const LISTS = ['array', 'set', 'map']

/** The same for every finding: the validator's own code where there is no better one. */
export function problemOf(finding: Finding): FieldProblem | { type: string } {
  const { code, params, origin = '', minimum, maximum, format } = finding
  if (params?.problem) return params.problem
  if (finding.isMissing) return { type: 'required' }
  if (code === 'too_small' && origin === 'string')
    return Number(minimum) === 1
      ? { type: 'empty' }
      : { type: 'too_short', params: { minimum: Number(minimum) } }
  if (code === 'too_big' && origin === 'string')
    return { type: 'too_long', params: { maximum: Number(maximum) } }
  if (code === 'too_big' && LISTS.includes(origin))
    return { type: 'too_many', params: { maximum: Number(maximum) } }
  if (code === 'invalid_format' && format === 'url') return { type: 'not_address' }
  return { type: code }
}
