export interface Sentence {
  line: number
  /** As written, on one line. */
  text: string
}

export interface Paragraph {
  line: number
  lines: string[]
}

/** A period ends a sentence if a capital letter, a quote or code follows. */
const SENTENCE_END = /(?<=[.!?]["”’)`*]*)\s+(?=["“‘`(*[]*\p{Lu}|`)/u
/** Tags, list items, instructions to tools, indented lines and columns. */
const STARTS_ANEW = /^ ?(@|[-*] |\d+\. |biome-ignore)|^\s{2}|\S {3,}\S/
const LIST_ITEM = /^([-*]|\d+\.) /

/** Leaves out headings, tables, quotes and code. */
export function sentencesOfDocument(text: string): Sentence[] {
  const lines = withoutCode(text)
    .replace(/^(#|\||<|> ).*$/gm, '')
    .split('\n')
    .map((line) => line.replace(/^ {2,}(?=\S)/, ''))
  return sentencesOf({ line: 1, lines })
}

/** Keeps the lines, so that the places of what follows stay the same. */
export function withoutCode(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]+/g, '')
  return text.replace(/^( *)(```+).*?^\1\2/gms, blank).replace(/<!--.*?-->/gs, blank)
}

export function sentencesOf(paragraph: Paragraph): Sentence[] {
  return splitParagraph(paragraph).flatMap(({ line, lines }) => {
    const whole = lines.join('\n')
    let at = 0
    return whole.split(SENTENCE_END).map((sentence) => {
      at = whole.indexOf(sentence, at)
      const before = whole.slice(0, at).split('\n').length - 1
      return { line: line + before, text: sentence.replaceAll('\n', ' ') }
    })
  })
}

function splitParagraph({ line, lines }: Paragraph): Paragraph[] {
  const parts: Paragraph[] = []
  let isNew = true
  for (const [i, text] of lines.entries()) {
    const isEmpty = text.trim() === ''
    if (isEmpty) isNew = true
    else if (isNew || STARTS_ANEW.test(text)) {
      parts.push({ line: line + i, lines: [text.trim().replace(LIST_ITEM, '')] })
      isNew = false
    } else parts.at(-1)!.lines.push(text.trim())
  }
  return parts
}

/** Leaves out marks, and the addresses of links. A piece of code becomes a word. */
export function plain(sentence: string, code = 'code'): string {
  return sentence
    .replace(/(`+).+?\1/g, code)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^["“‘(*_[]+|\*\*|(?<!\w)_|_(?!\w)/g, '')
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
}
