import { invalid } from '../../errors.ts'

/** No request needs a longer list. */
const MOST_ENTRIES = 2_000
/** No schema is deeper. */
const DEEPEST = 5

/** Each wrong entry would be an issue of its own. Half a million issues take the validator many seconds. */
export function refuseLongLists(body: unknown): void {
  const path = findLongList(body, DEEPEST)
  if (!path) return
  const msg = `must have at most ${MOST_ENTRIES.toLocaleString('en')} entries`
  const params = { maximum: MOST_ENTRIES }
  throw invalid([{ loc: ['body', ...path], msg, type: 'too_many', params }])
}

/** Returns the path of the list. */
function findLongList(value: unknown, depth: number): string[] | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  if (Array.isArray(value) && value.length > MOST_ENTRIES) return []
  for (const [key, inner] of Object.entries(value)) {
    const path = findLongList(inner, depth - 1)
    if (path) return [key, ...path]
  }
  return undefined
}
