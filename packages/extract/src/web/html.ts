import { oneLine } from '../document-text.ts'
import { Disclosures } from './disclosures.ts'
import { HtmlParser } from './html-parser.ts'
import { HtmlText } from './html-text.ts'
import WORDS from './html-words.json' with { type: 'json' }

export interface ExtractedText {
  title: string
  text: string
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
}

// What is struck out holds no longer, and how a character is read is said beside it.
const LEFT_OUT = new Set(WORDS.leftOut)
const LEFT_OUT_ROLES = new Set(['navigation', 'contentinfo', 'search', 'dialog', 'alertdialog'])
const BLOCKS = new Set(WORDS.blocks)
// Words in the names of classes. Not "menu", which a restaurant has, too.
const FURNITURE = new Set(WORDS.furniture)
// Likewise, of marks that lead to a note.
const NOTES = new Set('reference footnote noteref fnref template'.split(' '))
const RAISED = new Map([...'0123456789+-−'].map((sign, i) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻'[i]!]))
const SIGNS = /^\s*[^\s\p{L}\p{N}][^\p{L}\p{N}]*$/u
const BOLD = new Set(['b', 'strong', 'summary'])
const TITLES = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])
// Set beside each other they often are cells or columns to whoever sees the page.
const BESIDE = new Set(['span', 'b', 'strong', 'a', 'em', 'i', 'small', 'label', 'time', 'bdi'])
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article'])

// What text may stand in.
const KINDS = ['main', 'article', 'title', 'link', 'raised', 'code', 'tab', 'toggle'] as const

type Attributes = Record<string, string>

/** The readable text of a page: menus, scripts and hidden parts left out, headings and lists marked as in Markdown. */
export function extractHtml(html: string): ExtractedText {
  const page = new PageReader()
  // The parser closes whatever it opened, void elements and forgotten ends included, so that depths can be counted.
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
  /** The depth at which the outermost of each kind begins, or 0; what is inside of it is deeper. */
  readonly #from: Record<(typeof KINDS)[number], number> = {
    main: 0,
    article: 0,
    title: 0,
    link: 0,
    raised: 0,
    code: 0,
    tab: 0,
    toggle: 0,
  }
  #furnitureFrom = Number.POSITIVE_INFINITY
  /** Nothing came since the end of an element. */
  #isAfterEnd = false

  open(name: string, attributes: Attributes): void {
    // A picture's title stands inside of its svg, which is left out.
    if (name === 'title' && this.#leftOutDepth === 0) this.#inTitle = this.#title === ''
    const isToggle = this.#disclosures.isToggle(attributes)
    if (name === 'svg' || name === 'img') this.#text.picture(attributes)
    if (this.#leftOutDepth > 0) this.#leftOutDepth += 1
    else if (this.#isLeftOut(name, attributes, isToggle)) {
      this.#leftOutDepth = 1
      // What is written on a tab names what is behind it, though the tab itself is left out.
      this.#disclosures.openTab(attributes)
    } else this.#enter(name, attributes, isToggle)
  }

  read(data: string): void {
    if (this.#inTitle) this.#title += data
    this.#disclosures.readTab(data)
    // Beside a heading, a sign that links to it.
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
    // On such a button stands what it opens.
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
    if (this.#isAfterEnd && this.#from.code === 0 && BESIDE.has(name)) this.#text.besideAnother()
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
    // A page that ends inside of a tag has it closed without ever having been opened.
    if (this.#depth === 0) return
    this.#isAfterEnd = BESIDE.has(name)
    if (BOLD.has(name)) this.#text.boldDepth -= 1
    if (BLOCKS.has(name)) this.#text.end(name)
    else if (name === 'td' || name === 'th') this.#text.closeCell()
    this.#endKinds()
    this.#depth -= 1
    this.#placeText()
  }

  /** A tab, or what is clicked on to see more. */
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

  /** Those that began with the element that is left. */
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
  // The same page in other languages.
  return LEFT_OUT_ROLES.has(role) || (name === 'a' && hreflang !== undefined)
}

/** Whoever reads an answer has no use for the number of a note that is not there. */
function isNoteMark(
  name: string,
  { class: classes = '', role, href = '', 'epub:type': type }: Attributes,
  isRaised: boolean,
): boolean {
  if (role === 'doc-noteref' || type === 'noteref') return true
  return name === 'a' ? isRaised && href.startsWith('#') : name === 'sup' && hasWord(classes, NOTES)
}

/** 10³ is not 103. Letters, as in 5th, stay as they are. */
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
