import type { FieldProblem } from '@docent/contract/failures/error-codes.ts'

/** An issue that the validator reports. */
interface Finding {
  code: string
  /** Set by our own checks: see `saying`. */
  params?: { problem?: FieldProblem }
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  format?: string
  /** Set by `sayWhatIsWrong`. */
  isMissing?: boolean
}

const LISTS = ['array', 'set', 'map']

/** Maps each issue to a stable type. Falls back to the validator's own code. */
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
