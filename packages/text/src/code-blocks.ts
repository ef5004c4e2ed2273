const FENCE = /^[^\S\n]{0,3}(`{3,}|~{3,})([^`\n]*)$/gm

export interface Span {
  start: number
  end: number
}

/**
 * The ranges of fenced code, including the fences. An unclosed fence with a language extends to the end. An unclosed
 * fence without a language is not code.
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

/** Whether a quote ends with code. Text after the closing fence in the same line would break it. */
export function endsWithCode(text: string): boolean {
  return codeBlocksOf(text).at(-1)?.end === text.trimEnd().length
}
