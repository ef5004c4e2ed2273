import { oneLine } from '../document-text.ts'
import { Disclosures } from './disclosures.ts'
import { HtmlParser } from './html-parser.ts'
import { HtmlText } from './html-text.ts'
import WORDS from './html-words.json' with { type: 'json' }

export interface ExtractedText {
  title: string
  text: string
  /** The offset of each page, for documents with pages. */
  pages?: number[]
}

// Struck-out text is no longer valid, and `rp` and `rt` repeat how a character is read.
const LEFT_OUT = new Set(WORDS.leftOut)
const LEFT_OUT_ROLES = new Set(['navigation', 'contentinfo', 'search', 'dialog', 'alertdialog'])
const BLOCKS = new Set(WORDS.blocks)
// Class names of page furniture. Without "menu", because restaurants have menus.
const FURNITURE = new Set(WORDS.furniture)
// Class names of footnote marks.
const NOTES = new Set('reference footnote noteref fnref template'.split(' '))
const RAISED = new Map([...'0123456789+-−'].map((sign, i) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻'[i]!]))
const SIGNS = /^\s*[^\s\p{L}\p{N}][^\p{L}\p{N}]*$/u
const BOLD = new Set(['b', 'strong', 'summary'])
const TITLES = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])
// Inline elements that often look like cells or columns on the page.
const BESIDE = new Set(['span', 'b', 'strong', 'a', 'em', 'i', 'small', 'label', 'time', 'bdi'])
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article'])

const KINDS = ['main', 'article', 'title', 'link', 'raised', 'code', 'tab', 'toggle'] as const
type Kind = (typeof KINDS)[number]

type Attributes = Record<string, string>

/** Extracts the readable text of a page as Markdown, without menus, scripts and hidden parts. */
export function extractHtml(html: string): ExtractedText {
  const page = new PageReader()
  // The parser closes every element that it opens, including void and unclosed elements, so depths can be counted.
  const parser = new HtmlParser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (data) => page.read(data),
    onclosetag: (name) => page.close(name),
  })
  parser.end(html)
  return page.end()
}

class PageReader {
  readonly #text = new HtmlText()
  readonly #disclosures = new Disclosures()
  #title = ''
  #inTitle = false
  #leftOutDepth = 0
  #depth = 0
  /** The depth of the outermost open element of each kind, or 0. */
  readonly #from = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  #furnitureFrom = Number.POSITIVE_INFINITY
  /** No text or element has followed the last end tag. */
  #isAfterEnd = false

  open(name: string, attributes: Attributes): void {
    // Ignore the `title` of an SVG, which is skipped.
    if (name === 'title' && this.#leftOutDepth === 0) this.#inTitle = this.#title === ''
    const isToggle = this.#disclosures.isToggle(attributes)
    if (name === 'svg' || name === 'img') this.#text.picture(attributes)
    if (this.#leftOutDepth > 0) this.#leftOutDepth += 1
    else if (this.#isLeftOut(name, attributes, isToggle)) {
      this.#leftOutDepth = 1
      // A tab is skipped, but its text names its panel.
      this.#disclosures.openTab(attributes)
    } else this.#enter(name, attributes, isToggle)
  }

  read(data: string): void {
    if (this.#inTitle) this.#title += data
    this.#disclosures.readTab(data)
    // Skip the anchor symbol next to a heading.
    if (this.#leftOutDepth > 0 || (this.#from.link > 0 && SIGNS.test(data))) return
    this.#isAfterEnd = false
    this.#text.append(this.#from.raised > 0 ? raise(data) : data)
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (this.#leftOutDepth === 0) this.#leave(name)
    else {
      this.#leftOutDepth -= 1
      if (this.#leftOutDepth === 0 && this.#from.tab === 0) this.#disclosures.closeTab()
    }
  }

  end(): ExtractedText {
    return { title: oneLine(this.#title), text: this.#text.toString() }
  }

  #isLeftOut(name: string, attributes: Attributes, isToggle: boolean): boolean {
    // The button's text names what it opens.
    const isNaming = name === 'button' && (isToggle || this.#from.title > 0)
    return (
      (LEFT_OUT.has(name) && !isNaming) ||
      isNoteMark(name, attributes, this.#from.raised > 0) ||
      isElsewhere(name, attributes) ||
      (isHidden(attributes) && !this.#disclosures.isPanel(name, attributes))
    )
  }

  #enter(name: string, attributes: Attributes, isToggle: boolean): void {
    this.#depth += 1
    this.#beginDisclosure(name, attributes, isToggle)
    this.#beginKinds(name, attributes)
    this.#layOut(name, attributes)
    if (this.#isAfterEnd && this.#from.code === 0 && BESIDE.has(name)) this.#text.markAdjacent()
    this.#isAfterEnd = false
    if (BOLD.has(name)) this.#text.boldDepth += 1
    if (!WHOLE_PAGE.has(name) && isFurniture(attributes)) {
      this.#text.begin('div')
      this.#furnitureFrom = Math.min(this.#furnitureFrom, this.#depth)
    }
    const label = this.#disclosures.labelOf(attributes)
    if (label !== '') this.#text.title(label)
    this.#placeText()
  }

  #leave(name: string): void {
    // If a page ends inside a tag, the parser closes that tag without having opened it.
    if (this.#depth === 0) return
    this.#isAfterEnd = BESIDE.has(name)
    if (BOLD.has(name)) this.#text.boldDepth -= 1
    if (BLOCKS.has(name)) this.#text.end(name)
    else if (name === 'td' || name === 'th') this.#text.closeCell()
    this.#endKinds()
    this.#depth -= 1
    this.#placeText()
  }

  /** Handles a tab or a button that expands content. */
  #beginDisclosure(name: string, attributes: Attributes, isToggle: boolean): void {
    const isButton = name === 'button' || (isToggle && attributes.role === 'button')
    if (attributes.role === 'tab') {
      this.#from.tab ||= this.#depth
      this.#disclosures.openTab(attributes)
    } else if (isButton && this.#from.title === 0 && this.#from.toggle === 0) {
      this.#from.toggle = this.#depth
      this.#text.beginToggle()
    }
  }

  #beginKinds(name: string, { role, href }: Attributes): void {
    if (TITLES.has(name)) this.#from.title ||= this.#depth
    if (name === 'main' || role === 'main') this.#from.main ||= this.#depth
    if (name === 'article') this.#from.article ||= this.#depth
    if (name === 'a' && href?.startsWith('#')) this.#from.link ||= this.#depth
    if (name === 'sup') this.#from.raised ||= this.#depth
    if (name === 'code') this.#from.code ||= this.#depth
  }

  #layOut(name: string, attributes: Attributes): void {
    if (BLOCKS.has(name)) this.#text.begin(name)
    else if (name === 'br') this.#text.breakLine()
    else if (name === 'tr') this.#text.openRow()
    else if (name === 'td' || name === 'th') this.#text.openCell(name === 'th', attributes)
    if (name === 'code' || (name === 'pre' && isCode(attributes))) this.#text.markCode()
  }

  /** Resets the kinds that began with the closing element. */
  #endKinds(): void {
    if (this.#depth === this.#furnitureFrom) {
      this.#text.end('div')
      this.#furnitureFrom = Number.POSITIVE_INFINITY
    }
    if (this.#depth === this.#from.tab) this.#disclosures.closeTab()
    if (this.#depth === this.#from.toggle) this.#text.endToggle()
    for (const kind of KINDS) if (this.#from[kind] === this.#depth) this.#from[kind] = 0
  }

  #placeText(): void {
    const { main, article } = this.#from
    this.#text.place = main > 0 ? 'main' : article > 0 ? 'article' : 'page'
    this.#text.isFurniture = this.#depth >= this.#furnitureFrom
  }
}

function isHidden(attributes: Attributes): boolean {
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '')
  )
}

function isElsewhere(name: string, { role = '', hreflang }: Attributes): boolean {
  // A link to the same page in another language.
  return LEFT_OUT_ROLES.has(role) || (name === 'a' && hreflang !== undefined)
}

/** Footnote numbers are useless in an answer without the notes. */
function isNoteMark(
  name: string,
  { class: classes = '', role, href = '', 'epub:type': type }: Attributes,
  isRaised: boolean,
): boolean {
  if (role === 'doc-noteref' || type === 'noteref') return true
  return name === 'a' ? isRaised && href.startsWith('#') : name === 'sup' && hasWord(classes, NOTES)
}

/** Keeps 10³ different from 103. Letters, as in 5th, stay as they are. */
function raise(text: string): string {
  const signs = [...text.trim()].map((sign) => RAISED.get(sign))
  return signs.length === 0 || signs.includes(undefined) ? text : signs.join('')
}

function isFurniture({ class: classes = '', id = '' }: Attributes): boolean {
  return hasWord(`${classes} ${id}`, FURNITURE)
}

function hasWord(names: string, words: Set<string>): boolean {
  return names.split(/[\s_-]+/).some((word) => words.has(word.toLowerCase()))
}

function isCode({ class: classes = '' }: Attributes): boolean {
  return /\b(?:code|highlight|prettyprint|language-\w+|sourceCode)\b/.test(classes)
}
