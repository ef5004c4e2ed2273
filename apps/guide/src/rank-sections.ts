import type { Found } from '../render/write-guide.ts'

const MOST = 8
const ABOUT_PROJECT = /\/(decisions|project)\b/

/** Finds sections that contain each word or a word starting with it. Headings count more than text. */
export function rankSections(sections: Found[], query: string): Found[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section }) => section)
}

function scoreOf({ page, heading, text, url }: Found, words: string[]): number {
  let score = 0
  for (const word of words) {
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'giu')
    const found =
      10 * Math.min(1, count(heading, begins)) +
      5 * Math.min(1, count(page, begins)) +
      Math.min(4, count(text, begins))
    if (found === 0) return 0
    score += found
  }
  // An exact phrase ranks higher than separate words.
  if (`${heading} ${text}`.toLowerCase().includes(words.join(' '))) score += 5
  // Guides rank above documents about the project.
  return ABOUT_PROJECT.test(url) ? score / 4 : score
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** The text around the first match. */
export function excerptOf(text: string, query: string): string {
  const [word = ''] = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  return (start > 0 ? '… ' : '') + text.slice(start, start + 110)
}
