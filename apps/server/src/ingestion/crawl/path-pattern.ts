/**
 * Compiles a prefix pattern as in robots.txt: * matches anything, and a final $ matches the end of the path. It avoids
 * regular expressions, because strangers write the patterns and some would backtrack forever.
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
