/**
 * Tells whether a path begins as the pattern says, where * is anything and $ at the end is the end. Without regular
 * expressions: the patterns are a stranger's, and some would take for ever.
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  const toTheEnd = pattern.endsWith('$')
  const [first = '', ...others] = (toTheEnd ? pattern.slice(0, -1) : pattern).split('*')
  const last = toTheEnd ? others.pop() : undefined
  const pieces = others.filter((piece) => piece !== '')
  return (path) => {
    if (!path.startsWith(first)) return false
    let at = first.length
    for (const piece of pieces) {
      const found = path.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    if (!toTheEnd) return true
    if (last === undefined) return at === path.length
    return path.length - last.length >= at && path.endsWith(last)
  }
}
