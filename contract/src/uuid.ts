const DASHED = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The dashed form is accepted on input. Anything else is left as it is, and will not be found. */
export function normaliseId(given: string): string {
  return DASHED.test(given) ? given.replaceAll('-', '') : given
}

export function isId(given: string): boolean {
  return /^[\da-f]{32}$/.test(given)
}
