import type { ExtractedText } from './html.ts'

// What generators of sites keep before a text, in YAML or TOML.
const MATTER_LENGTH = 4000
const MATTER = /(?<!.)(---|\+\+\+)[^\S\n]*\n(.*?)^\1[^\S\n]*$/ms
const MATTER_TITLE = /^title\s*[:=]\s*(["']?)(.+?)\1\s*$/m

const FENCE = /^ {0,3}(`{3,}|~{3,})/
// What pages of components begin with.
const IMPORT = /^import\s.*\sfrom\s+(?:'[^']+'|"[^"]+");?\s*$/

/** The text as it is written, without what a reader of the page would not see. */
export function extractMarkdown(markdown: string): ExtractedText {
  const text = leaveOutUnseen(markdown.replaceAll('\r\n', '\n')).trim()
  return { title: titleBefore(text) || firstHeading(text), text }
}

/** Without comments and imports, unless they stand in code, as examples. */
function leaveOutUnseen(markdown: string): string {
  const kept: string[] = []
  let fence = ''
  let isComment = false
  for (const line of markdown.split('\n')) {
    const mark = isComment ? undefined : FENCE.exec(line)?.[1]
    if (fence !== '' || mark) {
      kept.push(line)
      if (fence === '') fence = mark!
      else if (mark?.startsWith(fence) && line.trim() === mark) fence = ''
      continue
    }
    const seen = leaveOutComments(line, isComment)
    const isUnseen = seen.text.trim() === '' && (isComment || line.trim() !== '')
    if (!isUnseen && !IMPORT.test(line)) kept.push(seen.text)
    isComment = seen.isComment
  }
  // A comment without an end is none.
  return isComment ? markdown : kept.join('\n')
}

function leaveOutComments(line: string, wasComment: boolean): { text: string; isComment: boolean } {
  let text = ''
  let isComment = wasComment
  let isCode = false
  for (const [part] of line.matchAll(/<!--|-->|`|[^<`-]+|./g)) {
    if (isComment) isComment = part !== '-->'
    else if (part === '<!--' && !isCode) isComment = true
    else text += part
    if (part === '`' && !isComment) isCode = !isCode
  }
  return { text, isComment }
}

function titleBefore(markdown: string): string {
  const head = markdown.slice(0, MATTER_LENGTH).replaceAll('\r\n', '\n')
  const matter = MATTER.exec(head)?.[2] ?? ''
  return MATTER_TITLE.exec(matter)?.[2] ?? ''
}

/** Not the comments of code, which look the same. */
function firstHeading(markdown: string): string {
  const prose = markdown.replace(/^(```|~~~).*?^\1/gms, '')
  const heading = /^# (.*)$/m.exec(prose)?.[1] ?? ''
  return heading.replace(/ #+$/, '').trim()
}
