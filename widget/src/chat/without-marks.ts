/**
 * A passage or an answer without the marks of headings and bold words, which say nothing where they are not drawn. Its words stay
 * as they are, and so does code, where the same signs mean something else.
 */
export function withoutMarks(text: string): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(```|~~~)/.test(line)
      if (isFence) isCode = !isCode
      if (isCode || isFence) return line
      return line.replace(/^ {0,3}#{1,6}[ \t]+/, '').replace(/\*\*(?=\S)([^*]*[^*\s])\*\*/g, '$1')
    })
    .join('\n')
}
