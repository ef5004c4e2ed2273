import { Parser } from 'htmlparser2'
import { Disclosures } from './disclosures.ts'
import { HtmlText } from './html-text.ts'

export interface ExtractedText {
  title: string
  text: string
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
}

// What is struck out holds no longer, and how a character is read is said beside it.
const LEFT_OUT = new Set(
  `script style noscript template title nav footer aside svg iframe canvas object video audio button select datalist
  textarea dialog del s strike rt rp`.split(/\s+/),
)
const LEFT_OUT_ROLES = new Set(['navigation', 'contentinfo', 'search', 'dialog', 'alertdialog'])
const BLOCKS = new Set(
  `address article blockquote body caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6
  header hr html li main ol p pre section summary table tbody thead ul`.split(/\s+/),
)
// Words in the names of classes. Not "menu", which a restaurant has, too.
const FURNITURE = new Set(
  `cookie cookies gdpr consent newsletter breadcrumb breadcrumbs nav navbar navbox sidebar social share sharing
  advert advertisement ads footer`.split(/\s+/),
)
// Likewise, of marks that lead to a note.
const NOTES = new Set('reference footnote noteref fnref template'.split(' '))
const RAISED = new Map([...'0123456789+-−'].map((sign, i) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻'[i]!]))
const SIGNS = /^\s*[^\s\p{L}\p{N}][^\p{L}\p{N}]*$/u
const BOLD = new Set(['b', 'strong', 'summary'])
const TITLES = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'])
// Set beside each other they often are cells or columns to whoever sees the page.
const BESIDE = new Set(['span', 'b', 'strong', 'a', 'em', 'i', 'small', 'label', 'time', 'bdi'])
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article'])

/** The readable text of a page: menus, scripts and hidden parts left out, headings and lists marked as in Markdown. */
export function extractHtml(html: string): ExtractedText {
  const text = new HtmlText()
  let title = ''
  let inTitle = false
  let leftOutDepth = 0
  let depth = 0
  // The depth at which each begins; what is inside of it is deeper.
  let furnitureFrom = Number.POSITIVE_INFINITY
  let mainDepth = 0
  let articleDepth = 0
  let raisedDepth = 0
  let linkDepth = 0
  let titleDepth = 0
  let tabDepth = 0
  let toggleDepth = 0
  let codeDepth = 0
  // Nothing came since the end of an element.
  let isAfterEnd = false
  const disclosures = new Disclosures()

  const placeText = () => {
    text.place = mainDepth > 0 ? 'main' : articleDepth > 0 ? 'article' : 'page'
    text.isFurniture = depth >= furnitureFrom
  }
  // The parser closes whatever it opened, void elements and forgotten ends included, so that depths can be counted.
  const parser = new Parser({
    onopentag(name, attributes) {
      // A picture's title stands inside of its svg, which is left out.
      if (name === 'title' && leftOutDepth === 0) inTitle = title === ''
      const isNote = isNoteMark(name, attributes, raisedDepth > 0)
      const isToggle = disclosures.isToggle(attributes)
      const isLeftOut =
        (LEFT_OUT.has(name) && !(name === 'button' && (isToggle || titleDepth > 0))) ||
        isElsewhere(name, attributes) ||
        (isHidden(attributes) && !disclosures.isPanel(name, attributes))
      if (name === 'svg' || name === 'img') text.picture(attributes)
      if (leftOutDepth > 0 || isNote || isLeftOut) {
        // What is written on a tab names what is behind it, though the tab itself is left out.
        if (leftOutDepth === 0) disclosures.openTab(attributes)
        leftOutDepth += 1
        return
      }
      depth += 1
      if (attributes.role === 'tab') {
        tabDepth ||= depth
        disclosures.openTab(attributes)
      } else if (
        titleDepth === 0 &&
        toggleDepth === 0 &&
        (name === 'button' || (isToggle && attributes.role === 'button'))
      ) {
        toggleDepth = depth
        text.beginToggle()
      }
      if (TITLES.has(name)) titleDepth ||= depth
      if (name === 'main' || attributes.role === 'main') mainDepth ||= depth
      if (name === 'article') articleDepth ||= depth
      if (name === 'sup') raisedDepth ||= depth
      if (name === 'a' && attributes.href?.startsWith('#')) linkDepth ||= depth
      if (BLOCKS.has(name)) text.begin(name)
      else if (name === 'br') text.breakLine()
      else if (name === 'tr') text.openRow()
      else if (name === 'td' || name === 'th') text.openCell(name === 'th', attributes)
      if (name === 'pre' && isCode(attributes)) text.markCode()
      if (name === 'code') {
        text.markCode()
        codeDepth ||= depth
      }
      if (isAfterEnd && codeDepth === 0 && BESIDE.has(name)) text.besideAnother()
      isAfterEnd = false
      if (BOLD.has(name)) text.boldDepth += 1
      if (!WHOLE_PAGE.has(name) && isFurniture(attributes)) {
        text.begin('div')
        furnitureFrom = Math.min(furnitureFrom, depth)
      }
      const label = disclosures.labelOf(attributes)
      if (label !== '') text.title(label)
      placeText()
    },
    ontext(data) {
      if (inTitle) title += data
      disclosures.readTab(data)
      // Beside a heading, a sign that links to it.
      if (leftOutDepth > 0 || (linkDepth > 0 && SIGNS.test(data))) return
      isAfterEnd = false
      text.append(raisedDepth > 0 ? raise(data) : data)
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (leftOutDepth > 0) {
        leftOutDepth -= 1
        if (leftOutDepth === 0 && tabDepth === 0) disclosures.closeTab()
        return
      }
      isAfterEnd = BESIDE.has(name)
      if (depth === codeDepth) codeDepth = 0
      if (BOLD.has(name)) text.boldDepth -= 1
      if (BLOCKS.has(name)) text.end(name)
      else if (name === 'td' || name === 'th') text.closeCell()
      if (depth === furnitureFrom) {
        text.end('div')
        furnitureFrom = Number.POSITIVE_INFINITY
      }
      if (depth === mainDepth) mainDepth = 0
      if (depth === articleDepth) articleDepth = 0
      if (depth === raisedDepth) raisedDepth = 0
      if (depth === linkDepth) linkDepth = 0
      if (depth === titleDepth) titleDepth = 0
      if (depth === tabDepth) {
        tabDepth = 0
        disclosures.closeTab()
      }
      if (depth === toggleDepth) {
        toggleDepth = 0
        text.endToggle()
      }
      depth -= 1
      placeText()
    },
  })
  parser.end(html)
  return { title: oneLine(title), text: text.toString() }
}

function isHidden(attributes: Record<string, string>): boolean {
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '')
  )
}

function isElsewhere(name: string, { role = '', hreflang }: Record<string, string>): boolean {
  // The same page in other languages.
  return LEFT_OUT_ROLES.has(role) || (name === 'a' && hreflang !== undefined)
}

/** Whoever reads an answer has no use for the number of a note that is not there. */
function isNoteMark(
  name: string,
  { class: classes = '', role, href = '', 'epub:type': type }: Record<string, string>,
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

function isFurniture({ class: classes = '', id = '' }: Record<string, string>): boolean {
  return hasWord(`${classes} ${id}`, FURNITURE)
}

function hasWord(names: string, words: Set<string>): boolean {
  return names.split(/[\s_-]+/).some((word) => words.has(word.toLowerCase()))
}

function isCode({ class: classes = '' }: Record<string, string>): boolean {
  return /\b(?:code|highlight|prettyprint|language-\w+|sourceCode)\b/.test(classes)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
