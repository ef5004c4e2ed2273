import { invalid } from '../../errors.ts'

/** No list of a request has a reason to be longer. */
const MOST_ENTRIES = 2_000
/** No schema looks deeper. */
const DEEPEST = 5

/** Every wrong entry would be a finding of its own: half a million of them take the validator many seconds. */
export function refuseLongLists(body: unknown): void {
  const path = findLongList(body, DEEPEST)
  if (!path) return
  const msg = `must have at most ${MOST_ENTRIES.toLocaleString('en')} entries`
  const params = { maximum: MOST_ENTRIES }
  throw invalid([{ loc: ['body', ...path], msg, type: 'too_many', params }])
}

/** Where it stands. */
function findLongList(value: unknown, depth: number): string[] | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  if (Array.isArray(value) && value.length > MOST_ENTRIES) return []
  for (const [key, inner] of Object.entries(value)) {
    const path = findLongList(inner, depth - 1)
    if (path) return [key, ...path]
  }
  return undefined
}
