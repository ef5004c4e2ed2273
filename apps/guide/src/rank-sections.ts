import type { Found } from '../render/write-guide.ts'
import { distanceWithin } from './edit-distance.ts'
import WORDS from './search-words.json' with { type: 'json' }

const IGNORED = new Set(WORDS.ignored)
const MOST = 8
const MOST_OF_PAGE = 3
const TITLE = 10
const HEADING = 6
const TEXT = 2
/** A page's title also counts for its later sections, which answer a part of what it names. */
const TITLE_ABOVE = 3
/** The rest of a page adds this share to each of its sections. */
const REST_OF_PAGE = 0.5
const PHRASE = 6
const PREFIX = 0.8
const SYNONYM = 0.6
const TYPO = 0.5
/** A task is what most people search for. */
const WEIGHTS: [urls: RegExp, weight: number][] = [
  [/^\/guide\/(decisions|project)\b/, 0.3],
  [/^\/guide\/(how-to|tutorials)\//, 1.3],
]

export interface Hit {
  section: Found
  excerpt: string
}

interface Place {
  section: number
  weight: number
}

/** Returns a search over these sections. Words may be unfinished, misspelled, or synonyms. */
export function makeSearch(sections: Found[]): (query: string) => Hit[] {
  const pages = sections.map(({ url }) => url.split('#')[0]!)
  const places = placesOf(sections, pages)

  return (query) => {
    const asked = wordsOf(query)
    const words = wordsOf(withoutPhrases(asked.join(' '))).filter((word) => !IGNORED.has(word))
    const meanings = (words.length > 0 ? words : asked)
      .map((word) => matchesOf(word, places))
      .filter(({ size }) => size > 0)
    const scores = new Map<number, number>()
    /** For each page, the score of each word that is on it. */
    const ofPages = new Map<string, number[]>()
    for (const matches of meanings) {
      const best = bestOf(matches, places)
      const bestOfPage = new Map<string, number>()
      for (const [section, score] of best) {
        const page = pages[section]!
        scores.set(section, (scores.get(section) ?? 0) + score)
        bestOfPage.set(page, Math.max(bestOfPage.get(page) ?? 0, score))
      }
      for (const [page, score] of bestOfPage)
        ofPages.set(page, [...(ofPages.get(page) ?? []), score])
    }
    const scoreOf = (index: number) => {
      const { heading, text, url } = sections[index]!
      const ofPage = ofPages.get(pages[index]!)!
      const own = scores.get(index)! + REST_OF_PAGE * ofPage.reduce((sum, one) => sum + one, 0)
      const isPhrase =
        asked.length > 1 && wordsOf(`${heading} ${text}`).join(' ').includes(asked.join(' '))
      const hasWords = ofPage.length / meanings.length
      return (own + (isPhrase ? PHRASE : 0)) * hasWords * weightOf(url)
    }
    const found = new Set(meanings.flatMap((matches) => [...matches.keys()]))
    return [...scores.keys()]
      .map((index) => ({ section: sections[index]!, score: scoreOf(index) }))
      .sort((a, b) => b.score - a.score)
      .filter(isAmongFirstOfPage())
      .slice(0, MOST)
      .map(({ section }) => ({ section, excerpt: excerptOf(section.text, found) }))
  }
}

function isAmongFirstOfPage(): (found: { section: Found }) => boolean {
  const counts = new Map<string, number>()
  return ({ section: { url } }) => {
    const page = url.split('#')[0]!
    counts.set(page, (counts.get(page) ?? 0) + 1)
    return counts.get(page)! <= MOST_OF_PAGE
  }
}

function weightOf(url: string): number {
  return WEIGHTS.find(([urls]) => urls.test(url))?.[1] ?? 1
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function withoutPhrases(query: string): string {
  return Object.entries(WORDS.phrases).reduce(
    (text, [phrase, words]) => text.replace(phrase, words),
    query,
  )
}

/** The sections that each word is in. A word weighs more the fewer pages have it, in their text and in their titles. */
function placesOf(sections: Found[], pages: string[]): Map<string, Place[]> {
  const rarityIn = (texts: string[]) => {
    const having = new Map<string, Set<string>>()
    for (const [index, text] of texts.entries()) {
      for (const word of wordsOf(text)) {
        having.set(word, (having.get(word) ?? new Set()).add(pages[index]!))
      }
    }
    const count = new Set(pages).size
    return (word: string) => Math.log(1 + count / having.get(word)!.size)
  }
  const inTexts = rarityIn(sections.map(({ text }) => text))
  const inTitles = rarityIn(sections.map(({ page }) => page))
  const inHeadings = rarityIn(sections.map(({ heading }) => heading))
  const places = new Map<string, Place[]>()
  for (const [section, { page, heading, text, url }] of sections.entries()) {
    const isFirst = !url.includes('#')
    const weights = new Map<string, number>()
    const add = (word: string, weight: number) =>
      weights.set(word, (weights.get(word) ?? 0) + weight)
    for (const [word, count] of countsOf(wordsOf(text)))
      add(word, (TEXT * inTexts(word) * count) / (count + 1))
    for (const word of new Set(wordsOf(page)))
      add(word, (isFirst ? TITLE : TITLE_ABOVE) * inTitles(word))
    if (!isFirst)
      for (const word of new Set(wordsOf(heading))) add(word, HEADING * inHeadings(word))
    for (const [word, weight] of weights) {
      const list = places.get(word)
      if (list) list.push({ section, weight })
      else places.set(word, [{ section, weight }])
    }
  }
  return places
}

function countsOf(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** The score of each section that has one of these words. */
function bestOf(matches: Map<string, number>, places: Map<string, Place[]>): Map<number, number> {
  const best = new Map<number, number>()
  for (const [word, quality] of matches) {
    for (const { section, weight } of places.get(word)!)
      best.set(section, Math.max(best.get(section) ?? 0, quality * weight))
  }
  return best
}

/** The words of the guide that a word of the query may mean, and how surely. */
function matchesOf(asked: string, known: Map<string, unknown>): Map<string, number> {
  const matches = new Map<string, number>()
  const add = (word: string, quality: number) => {
    if (known.has(word)) matches.set(word, Math.max(matches.get(word) ?? 0, quality))
  }
  const stem = stemOf(asked)
  const groups = WORDS.groups.map((group) => group.map(stemOf)).filter((all) => all.includes(stem))
  const synonyms = new Set(groups.flat())
  for (const word of known.keys()) {
    if (word === asked) add(word, 1)
    else if (stemOf(word) === stem) add(word, 0.95)
    else if (synonyms.has(stemOf(word))) add(word, SYNONYM)
    else if (word.startsWith(asked)) add(word, PREFIX * (asked.length / word.length))
  }
  const isKnown = synonyms.size > 0 || [...matches.values()].some((quality) => quality > PREFIX)
  const edits = asked.length < 4 || /\d/.test(asked) ? 0 : asked.length < 8 ? 1 : 2
  if (isKnown || edits === 0) return matches
  for (const word of known.keys()) {
    // A word that is still being typed may have its typo already.
    const begun = word.slice(0, asked.length)
    if (distanceWithin(asked, word, edits)) add(word, TYPO)
    else if (asked.length > 4 && distanceWithin(asked, begun, 1)) add(word, TYPO / 2)
  }
  return matches
}

/** Short words keep their endings: "this" is no plural, and "setting" is not "set". */
function stemOf(word: string): string {
  const singular = word.replace(/(?<=..)e?s$/, '')
  const stem = singular.replace(/(?<=....)(?:ed|ing)$/, '').replace(/(.)\1$|e$/, '$1')
  return stem.length < 3 ? word : stem
}

/** The text around the first word that was found. */
function excerptOf(text: string, found: Set<string>): string {
  const match = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) =>
    found.has(word.toLowerCase()),
  )
  const at = Math.max(0, (match?.index ?? 0) - 40)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  return (start > 0 ? '… ' : '') + text.slice(start, start + 110)
}
