import { isOnlyDrawn } from './markdown/split-blocks.ts'

/** The text up to the end of its last complete sentence. */
export function completeSentences(text: string): string {
  const end = Math.max(
    ...['. ', '! ', '? ', '\n', '。', '！', '？', '؟ '].map((mark) => {
      const at = text.lastIndexOf(mark)
      return at < 0 ? 0 : at + mark.trimEnd().length || at + mark.length
    }),
  )
  return text.slice(0, end)
}

/** An answer for reading aloud, without Markdown marks and citation markers. */
export function speakable(text: string): string {
  return text
    .split('\n')
    .filter((line) => !isOnlyDrawn(line.trim()))
    .join('\n')
    .replace(/\[\d+\.\d+\]/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*_`#>|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
