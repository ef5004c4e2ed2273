import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

// Units of values that are measured by their length.
const UNITS: Record<string, string> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
}

/** Words an issue to follow a field's name: “name: must not be empty”. Undefined keeps the validator's words. */
export function describeIssue(issue: Issue): string | undefined {
  const isMissing = issue.input === undefined
  // The validator keeps an issue's fields but drops its input. `problemOf` reads this flag.
  if (isMissing) issue.isMissing = true
  if (issue.code === 'invalid_type')
    return isMissing ? 'is required' : `must be ${withArticle(issue.expected)}`
  if (issue.code === 'too_small') {
    const { minimum, inclusive } = issue
    if (issue.origin === 'string' && minimum === 1) return 'must not be empty'
    return `must ${bound(issue.origin, inclusive === false ? 'more than' : 'at least', minimum)}`
  }
  if (issue.code === 'too_big') {
    const { maximum, inclusive } = issue
    return `must ${bound(issue.origin, inclusive === false ? 'less than' : 'at most', maximum)}`
  }
  if (issue.code === 'invalid_value') {
    if (isMissing) return 'is required'
    const values = issue.values.map((value: unknown) => JSON.stringify(value))
    return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
  }
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`
  if (issue.code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`
  return undefined
}

function bound(origin: string, how: string, value: number | bigint): string {
  const unit = UNITS[origin]
  return unit ? `have ${how} ${value} ${unit}` : `be ${how} ${value}`
}

function withArticle(expected: string): string {
  if (expected === 'null' || expected === 'undefined') return expected
  if (expected === 'int') return 'a whole number'
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
}
