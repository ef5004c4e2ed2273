// Inline markup of reStructuredText. It stands between whitespace or punctuation.
const LITERAL = /(``[^`\n]{1,1000}``)/
const ROLE = /(?<![\w:]):[\w:+.-]{1,60}:`([^`]{1,500})`/g
const LINK = /`([^`<]{1,500})<[^`<>]{1,2000}>`__?/g
const REFERENCE = /`([^`]{1,500})`__?(?![\w`])/g
const PHRASE = /(?<![\w`])`([^`\s](?:[^`]{0,498}[^`\s])?)`(?![\w`_])/g
const NAMED = /(?<![\w`:/@.-])([A-Za-z]\w*(?:[.-]\w+)*[A-Za-z0-9])__?(?=[\s.,;:!?)\]}'"]|$)/g
const NOTE = /\s?\[(?:#\w*|\*|\d{1,3}|[A-Z]\w{1,20})\]_(?!\w)/g
const INLINE_TARGET = /(?<![\w`])_`([^`]{1,500})`/g
const SUBSTITUTION = /\|([^|\s](?:[^|\n]{0,98}[^|\s])?)\|(?:__?)?/g

export type Substitutions = ReadonlyMap<string, string>

/** Converts inline markup to Markdown: keeps code and emphasis, and replaces links and roles with their text. */
export function inlineText(text: string, substitutions: Substitutions): string {
  return text
    .split(LITERAL)
    .map((part) =>
      part.startsWith('``') && part.length > 4
        ? `\`${part.slice(2, -2)}\``
        : withoutMarks(part, substitutions),
    )
    .join('')
}

function withoutMarks(text: string, substitutions: Substitutions): string {
  return text
    .replace(SUBSTITUTION, (whole, name: string) => substitutions.get(name.toLowerCase()) ?? whole)
    .replace(ROLE, (_, words: string) => roleText(words))
    .replace(LINK, (_, words: string) => words.trimEnd())
    .replace(INLINE_TARGET, '$1')
    .replace(REFERENCE, '$1')
    .replace(PHRASE, '$1')
    .replace(NOTE, '')
    .replace(NAMED, '$1')
    .replace(/\\(?:\s|$)/g, '')
    .replace(/\\(.)/g, '$1')
}

/** “title <target>” becomes “title”, and “~package.name” becomes “name”. */
function roleText(words: string): string {
  const title = /^([^<]+)<[^<>]*>$/.exec(words)?.[1]
  if (title !== undefined) return title.trimEnd()
  return words.startsWith('~')
    ? words.slice(words.lastIndexOf('.') + 1).replace('~', '')
    : words.replace(/^!/, '')
}
