// Metadata in YAML or TOML that site generators put before a text.
const LONGEST = 20_000
const MATTER = /^\s{0,100}(---|\+\+\+)[^\S\n]*\n(.*?\n)??(?:\1|\.\.\.)[^\S\n]*(?:\n|$)/s
// A key, a table, a comment, a list item or a continuation line. Prose between two horizontal rules is none of these.
const LINE = /^(?:\s|$|#|- |-$|["']?[\w .$/-]{1,100}["']?\s{0,10}[:=](?:\s|$)|[[\]{}])/
const TITLE = /^["']?title["']?\s{0,10}[:=][^\S\n]*(.*)(?:\n|$)/im
// The value is the indented text below.
const BLOCK = /^[>|][+-]?\d?[+-]?\s*(?:#.*)?$/

/** Splits a text into the title from its front matter and the rest. */
export function splitFrontMatter(text: string): { title: string; body: string } {
  const head = text.slice(0, LONGEST)
  const found = MATTER.exec(head)
  const matter = found?.[2] ?? ''
  if (
    !found ||
    !matter
      .trimEnd()
      .split('\n')
      .every((line) => LINE.test(line))
  ) {
    return { title: '', body: text }
  }
  return { title: titleIn(matter), body: text.slice(found[0].length) }
}

function titleIn(matter: string): string {
  const found = TITLE.exec(matter)
  const value = found?.[1]?.trim() ?? ''
  if (!found || BLOCK.test(value)) return found ? linesBelow(matter, found) : ''
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value)
  if (!quoted) return value.replace(/\s#.*$/, '').trim()
  return quoted[1] === "'"
    ? quoted[2]!.replaceAll("''", "'")
    : quoted[2]!.replace(/\\(["\\])/g, '$1')
}

function linesBelow(matter: string, { index, 0: line }: RegExpExecArray): string {
  const lines = matter.slice(index + line.length).split('\n')
  const end = lines.findIndex((one) => /^\S/.test(one))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}
