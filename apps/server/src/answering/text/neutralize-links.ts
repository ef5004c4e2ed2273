import type { Neutralized } from '../answer-events.ts'
import {
  type AllowedLink,
  AllowedLinks,
  decodeEntities,
  findLinkStart,
  isEscapedLink,
  type LinkSources,
  LinkTail,
  linkLength,
  readTarget,
  uncertainTail,
} from './allowed-links.ts'
import LINK_WORDS from './link-words.json' with { type: 'json' }

const LINK_REMOVED = '(link removed)'
const IMAGE_REMOVED = '(image removed)'
// Longer than any address or tag that an answer needs. Longer text does not wait for its end.
const LONGEST = 2_048
const LONGEST_TAG = 80
// Twice the maximum length of a host name. Text that began earlier is not a working link.
const LONGEST_RUN = 512
// The text of a link must be complete before its brackets can go. Longer texts keep their brackets.
const LONGEST_TEXT = 200
const MOST_NOTES = 50

// Elements that load, run, restyle or hide something without interaction.
const ACTIVE = new Set(LINK_WORDS.activeElements)

interface Step {
  /** The length of the text that this step consumes. */
  take: number
  emit: string
  /** The text after this step is separate, even without a space between. */
  ends?: boolean
  /** The step ends with an allowed link. */
  isLink?: boolean
}

function plain(text: string): Step | undefined {
  return text === '' ? undefined : { take: text.length, emit: text }
}

const SUSPECT = /[![\]<&\\:.]|www/i
const LINK_TEXT = /^\[(?:[^[\]\\]|\\.)*\]/s
// Characters that may stand before a link. After other characters, the text of the link would join another word, which
// might become an address.
const BEFORE_LINK = /^[*_~("“‘«]*$/
// Every client sees a link after such a text: nothing in it ends the line, the table cell or the link itself.
const PLAIN_LINK_TEXT = /(?<!\\)\[[\p{L}\p{M}\p{N} ,.:;?'’()&+–-]{1,150}$/u
// Only hidden addresses have their letters and signs written as entities.
const HIDDEN_SIGN = /^[\w:/.@?=#%-]$/
const IMAGE_TEXT = /^!\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]/

/**
 * Neutralizes disallowed links, images, active tags and invisible characters in streamed text. It holds back only text
 * that may become one of these, and never retracts text that it passed on.
 */
export class OutputGuard {
  readonly neutralised: Neutralized[] = []
  /** The markers of the passages that allowed each link. */
  readonly linkedFrom: (readonly string[])[] = []
  readonly #allowed: AllowedLinks
  readonly #stripper = new InvisibleStripper()
  readonly #tail = new LinkTail()
  #held = ''
  /** The end of the text that was passed on. */
  #written = ''
  /** The passed-on part of the current run of characters without whitespace. */
  #run = ''
  /** The next text does not join a word before it, not even an allowed link. */
  #isApart = true
  /** The current link lost its opening bracket and will lose the closing one. */
  #isUnbracketed = false
  /** The last allowed address is the whole text of a link. */
  #isLinkText = false
  /** The current word is a link that is too long. The rest of it is dropped. */
  #isRemoving = false

  constructor(sources: LinkSources) {
    this.#allowed = new AllowedLinks(sources)
  }

  add(text: string): string {
    return this.#pass(text, false)
  }

  end(): string {
    return this.#pass(this.#stripper.end(), true)
  }

  #pass(given: string, final: boolean): string {
    const { text, removed } = this.#stripper.add(given)
    if (removed.length > 0) this.#note('invisible', removed.join(' '))
    let out = ''
    let taken = 0
    do {
      // Keeps the inspected text short, however much arrives at once.
      this.#held += text.slice(taken, taken + LONGEST)
      taken += LONGEST
      out += this.#drain(final && taken >= text.length)
    } while (taken < text.length)
    return out
  }

  #drain(final: boolean): string {
    let out = ''
    while (this.#held !== '') {
      const next = this.#next(final)
      if (!next) break
      const step = this.#keepApart(next)
      this.#held = this.#held.slice(step.take)
      this.#remember(step)
      out += step.emit
    }
    return out
  }

  #keepApart(step: Step): Step {
    const { emit, isLink } = step
    if (this.#isLinkText && this.#tail.isEmpty && emit.startsWith('](')) this.#tail.end()
    const place = this.#tail.breakIn(emit)
    if (place >= 0) {
      this.#note('link', emit)
      // After a space this is a separate word, which may be an address.
      if (this.#held.startsWith(emit)) return { take: place, emit: `${emit.slice(0, place)} ` }
    }
    if (isLink) this.#tail.begin()
    return place < 0 ? step : { ...step, emit: `${emit.slice(0, place)} ${emit.slice(place)}` }
  }

  #remember({ emit, ends, isLink = false }: Step): void {
    if (emit === '') return
    if (isLink) this.#isLinkText = /(?<!\\)\[$/.test(this.#written)
    this.#written = (this.#written + emit).slice(-LONGEST_TEXT)
    const space = lastSpace(emit, emit.length)
    this.#isApart = (space >= 0 || this.#isApart) && BEFORE_LINK.test(emit.slice(space + 1))
    const run = space < 0 ? this.#run + emit : emit.slice(space + 1)
    this.#run = ends ? '' : run.slice(-LONGEST_RUN)
  }

  /** Decides what to do with the beginning of the held text. Undefined means that more text must arrive first. */
  #next(final: boolean): Step | undefined {
    const held = this.#held
    if (this.#isRemoving) {
      const [rest] = /^[^\s<]*/.exec(held)!
      this.#isRemoving = rest.length === held.length
      return { take: rest.length, emit: '' }
    }
    if (held[0] === '<') return this.#tag(held, final)
    if (held.startsWith('![')) return this.#image(held, final)
    if (held.startsWith('](')) return this.#inlineLink(held, final)
    if (held.startsWith(']:')) return this.#definition(held, final)
    if (held[0] === '[') return this.#opening(held, final)
    const before = held.slice(0, Math.max(0, held.indexOf('[')))
    if (before !== '' && BEFORE_LINK.test(before)) return plain(before)
    // The text that was passed on may be the beginning of a link that continues here.
    if (SUSPECT.test(this.#run) && !/^\s/.test(held)) return this.#word(held, final)
    // Most text is only words.
    const suspect = held.search(SUSPECT)
    const words = lastSpace(held, suspect < 0 ? held.length : suspect) + 1
    return words > 0 ? plain(held.slice(0, words)) : this.#word(held, final)
  }

  #word(held: string, final: boolean): Step | undefined {
    const [piece] = /^[^\s<]+/.exec(held)!
    const isTooLong = piece.length > LONGEST
    const isWhole = final || piece.length < held.length || isTooLong
    const decoded = decodeEntities(piece, HIDDEN_SIGN)
    if (decoded !== piece) {
      this.#held = decoded + held.slice(piece.length)
      return { take: 0, emit: '' }
    }
    const text = this.#run + piece
    const start = SUSPECT.test(text) ? findLinkStart(text) : -1
    const begins = start - this.#run.length
    const syntax = piece.search(/!\[|\]\(|\]:/)
    if (syntax > 0 && (start < 0 || syntax < begins)) return plain(piece.slice(0, syntax))
    if (start >= 0) {
      if (begins > 0) return plain(piece.slice(0, begins))
      if (isTooLong) return this.#removeWord(piece)
      return isWhole ? this.#link(text.slice(start), -begins) : undefined
    }
    // A client that renders the text removes the escapes, which leaves an address.
    if (isEscapedLink(text)) return isWhole ? this.#removeWord(piece) : undefined
    return plain(isWhole ? piece : piece.slice(0, piece.length - uncertainTail(piece, this.#run)))
  }

  /** Handles an address and the text after it. The first `gone` characters were already passed on. */
  #link(address: string, gone: number): Step {
    const length = linkLength(address)
    const whole = address.slice(0, length)
    // Text that contains `](` has two addresses. The second is checked separately.
    const step = whole.includes('](') ? undefined : this.#passAddress(whole, gone)
    if (step) return step
    // The address may be the text of a link, or stand in quotes. Then the text after it is checked separately.
    const cut = address.search(/\]\(|[`"|>]/)
    const first = cut > gone && address.slice(0, linkLength(address.slice(0, cut)))
    const end = cut > gone && address.startsWith('](', cut) ? cut : length
    return (
      (first && this.#passAddress(first, gone)) ||
      this.#removeLink(address.slice(0, end), end - gone)
    )
  }

  #passAddress(address: string, gone: number): Step | undefined {
    const link = this.#allowed.find(address)
    // Text that was passed on cannot be rewritten.
    const isSame = gone === 0 || link?.address === address
    if (!link || !isSame || address.length <= gone) return undefined
    this.#cite(link, address)
    const emit = link.address.slice(gone)
    return { take: address.length - gone, emit, ends: true, isLink: true }
  }

  #removeWord(piece: string): Step {
    this.#isRemoving = true
    return this.#removeLink(piece, piece.length)
  }

  /** Returns the allowed form of an address that stands in parentheses or angle brackets. */
  #letThrough(destination: string): string | undefined {
    const link = this.#allowed.findTarget(destination)
    if (link) this.#cite(link, destination)
    return link?.address
  }

  #cite({ address, markers }: AllowedLink, given: string): void {
    if (address !== given) this.#note('link', given)
    if (markers.length > 0) this.linkedFrom.push(markers)
  }

  #removeLink(address: string, take: number): Step {
    this.#note('link', address)
    return { take: Math.max(1, take), emit: LINK_REMOVED, ends: true }
  }

  /** Also removes the brackets of a link that will be removed, because they mean nothing without an address. */
  #opening(held: string, final: boolean): Step | undefined {
    const bracket = { take: 1, emit: '[' }
    if (!this.#isApart) return bracket
    const text = LINK_TEXT.exec(held.slice(0, LONGEST_TEXT))?.[0]
    if (text === undefined && mayComeWhole(held, final, LONGEST_TEXT)) return undefined
    // The brackets stay if the text would read like a mail address without them.
    if (text === undefined || hasBlankLine(text) || text.includes('@')) return bracket
    const rest = held.slice(text.length - 1)
    if (rest === ']') return final ? bracket : undefined
    if (!rest.startsWith('](')) return bracket
    const target = readTarget(rest)
    if (!target) return mayComeWhole(rest, final) ? undefined : bracket
    if (target.to === '' || this.#allowed.findTarget(target.to)) return bracket
    this.#isUnbracketed = true
    return { take: 1, emit: '' }
  }

  #inlineLink(held: string, final: boolean): Step | undefined {
    const target = readTarget(held)
    if (!target) {
      // A space between the brackets breaks the link.
      return mayComeWhole(held, final) ? undefined : { take: 2, emit: '] (' }
    }
    const { to, length: take } = target
    const address = to === '' ? '' : this.#letThrough(to)
    if (address !== undefined) {
      const isLink = address !== '' && !PLAIN_LINK_TEXT.test(this.#written)
      return { take, emit: `](${address})`, ends: true, isLink }
    }
    this.#note('link', to)
    const closing = this.#isUnbracketed ? '' : ']'
    this.#isUnbracketed = false
    return { take, emit: `${closing} ${LINK_REMOVED}`, ends: true }
  }

  /** `[name]: address` gives a name an address for the whole text. */
  #definition(held: string, final: boolean): Step | undefined {
    const found =
      /^\]:\s*(<[^<>\n]*>|\S+)(?=\s)/.exec(held) ?? (final ? /^\]:\s*(\S+)/.exec(held) : null)
    if (!found) return mayComeWhole(held, final) ? undefined : { take: 2, emit: '] :' }
    const destination = found[1]!.replace(/^<(.*)>$/, '$1')
    const isAddress = /[/:.&%\\#?]/.test(destination.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''))
    if (!isAddress) return { take: 2, emit: ']:' }
    const address = this.#letThrough(destination)
    if (address !== undefined) {
      const emit = found[0].replace(destination, () => address)
      return { take: found[0].length, emit, ends: true, isLink: true }
    }
    this.#note('link', destination)
    return { take: found[0].length, emit: `] : ${LINK_REMOVED}`, ends: true }
  }

  #image(held: string, final: boolean): Step | undefined {
    const apart = this.#written.endsWith('!') ? ' ' : ''
    const found = IMAGE_TEXT.exec(held)
    const rest = found && held.slice(found[0].length)
    const inline = rest?.startsWith('(') ? readTarget(`]${rest}`) : undefined
    const isOpen = !found || rest === '' || (rest?.startsWith('(') && !inline)
    if (isOpen && !final && held.length < LONGEST) return undefined
    if (!found || !inline) {
      // An image by reference becomes a link, which is then checked by its reference.
      this.#note('image', held.slice(0, 200))
      return { take: 1, emit: apart === '' && !isOpen ? '' : ' ' }
    }
    const named = found[1]!.replaceAll(/[<>[\]()!&\\]/g, '')
    const text = findLinkStart(named) < 0 ? named : ''
    const take = found[0].length + inline.length - 1
    const isAllowed = this.#allowed.allowsImage(inline.to)
    if (!isAllowed) this.#note('image', inline.to)
    const address = this.#letThrough(inline.to)
    if (address !== undefined) {
      const start = isAllowed ? `![${text}]` : `${apart}[${text || 'image'}]`
      return { take, emit: `${start}(${address})`, ends: true, isLink: true }
    }
    return { take, emit: `${apart}${text ? `${text} ` : ''}${IMAGE_REMOVED}`, ends: true }
  }

  #tag(held: string, final: boolean): Step | undefined {
    if (held.length === 1) return final ? { take: 1, emit: '<' } : undefined
    if (!/^<[a-z/!?]/i.test(held)) return { take: 1, emit: '<' }
    const end = held.slice(1).search(/[<>=]/) + 1
    const isOpen = end === 0 && held.length <= LONGEST_TAG && !final
    const address = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)(>?)/i.exec(held)
    if (address) {
      const [whole, destination, closed] = address
      if (!closed && whole.length === held.length && mayComeWhole(held, final)) return undefined
      const allowed = closed && this.#letThrough(destination!)
      if (allowed) return { take: whole.length, emit: `<${allowed}>`, ends: true, isLink: true }
      if (closed) return this.#removeLink(destination!, whole.length)
    } else if (isOpen) return undefined
    const [, name = ''] = /^<\/?([a-z][^\s/>]*)/i.exec(held) ?? []
    const isPlain = held[end] === '>' && name !== '' && !ACTIVE.has(name.toLowerCase())
    if (isPlain && findLinkStart(held.slice(0, end)) < 0)
      return { take: end + 1, emit: held.slice(0, end + 1) }
    this.#note('html', held.slice(0, LONGEST_TAG))
    return { take: 1, emit: '‹' }
  }

  #note(kind: Neutralized['kind'], text: string): void {
    if (this.neutralised.length < MOST_NOTES)
      this.neutralised.push({ kind, text: text.slice(0, 500) })
  }
}

/** Whether more text may still complete this link. */
function mayComeWhole(held: string, final: boolean, longest = LONGEST): boolean {
  return !final && held.length < longest && !hasBlankLine(held)
}

function hasBlankLine(text: string): boolean {
  return /\n\s*\n/.test(text)
}

function lastSpace(text: string, before: number): number {
  let index = before - 1
  while (index >= 0 && !/\s/.test(text[index]!)) index -= 1
  return index
}

// Invisible characters hide text within text, or split an address into pieces that look complete.
const HIDDEN = /(?![\u180b-\u180d\u180f])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/u
// Joiners and selectors for letters and emoji. They are valid only if there is something to join.
const JOINER = /^[\u200c\u200d]$/
const SELECTOR = /^[\ufe00-\ufe0f]$/

function isInvisible(character: string, last: string): boolean {
  if (character < '\u00ad') return character === '\0'
  if (JOINER.test(character)) return last <= '\u007f' || JOINER.test(last)
  // A selector turns a digit into a keycap.
  if (SELECTOR.test(character))
    return last === '' || /^[^\d#*\u0080-\u{10ffff}]|[\ufe00-\ufe0f]/u.test(last)
  return HIDDEN.test(character)
}

/** Removes invisible characters from streamed text and reports them. */
class InvisibleStripper {
  #last = ''
  #half = ''

  add(given: string): { text: string; removed: string[] } {
    const whole = this.#half + given
    this.#half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? ''
    const removed: string[] = []
    let text = ''
    for (const character of whole.slice(0, whole.length - this.#half.length)) {
      if (isInvisible(character, this.#last)) {
        removed.push(`U+${character.codePointAt(0)!.toString(16).toUpperCase()}`)
        continue
      }
      text += character
      this.#last = character
    }
    return { text, removed }
  }

  /** Returns half of a character that never got its other half. */
  end(): string {
    return this.#half
  }
}
