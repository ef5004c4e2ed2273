const FENCE = /^[^\S\n]{0,3}(`{3,}|~{3,})([^`\n]*)$/gm

export interface Span {
  start: number
  end: number
}

/**
 * Where code stands between fences, the fences with it. A fence that names a language and has no end goes on to the
 * end; another one without an end is none.
 */
export function codeBlocksOf(text: string): Span[] {
  const blocks: Span[] = []
  let open: { start: number; mark: string; info: string } | undefined
  for (const { 0: line, 1: mark = '', 2: info = '', index } of text.matchAll(FENCE)) {
    if (!open) open = { start: index, mark, info: info.trim() }
    else if (mark.startsWith(open.mark) && info.trim() === '') {
      blocks.push({ start: open.start, end: index + line.length })
      open = undefined
    }
  }
  if (open && open.info !== '') blocks.push({ start: open.start, end: text.length })
  return blocks
}

/** Whether what is quoted ends with code, so that nothing can stand behind it in its line. */
export function endsWithCode(text: string): boolean {
  return codeBlocksOf(text).at(-1)?.end === text.trimEnd().length
}
