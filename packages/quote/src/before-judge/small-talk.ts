import { detectLanguage } from '@docent/text/detect-language.ts'
import { isSpoken, PHRASES, type Phrases, type SpokenLanguage } from './phrases.ts'
import SMALL_TALK from './small-talk.json' with { type: 'json' }

// The first that is said has the reply: “Ok, thanks, bye” is a farewell.
const REPLIED = ['about', 'goodbye', 'thanks', 'greeting'] as const
// `rest` stands beside any of the others, or alone after an answer.
type Kind = (typeof REPLIED)[number] | 'rest'

// Kept as "language kind"; the key is the phrase.
const PHRASES_SAID = new Map(
  Object.entries(SMALL_TALK).map(([phrase, said]) => {
    const [language, kind] = said.split(' ') as [SpokenLanguage, Kind]
    return [phrase, { language, kind }]
  }),
)

const WORDS_AFTER = new Set(['there', 'all', 'everyone', 'again'])
const MOST_WORDS_IN_PHRASE = 6
const LONGEST = 80
const GLAD = /👍|🙏|👏|👌|🎉|💯|😀|😃|😄|😊|🙂|❤/u

/** A short reply to a greeting, thanks, a farewell, or to who asks what this is, if the message holds nothing else. */
export function replyToSmallTalk(message: string, found = ''): string | undefined {
  if (message.length > LONGEST) return undefined
  const words = wordsOf(message)
  const said = phrasesIn(words)
  for (const kind of REPLIED) {
    const first = said?.find((one) => one.kind === kind)
    if (first) return PHRASES[first.language][kind]
  }
  const isGlad = words.length === 0 ? GLAD.test(message) : said !== undefined
  return isGlad ? phrasesFor(message, found).thanks : undefined
}

export function isSmallTalk(message: string): boolean {
  return replyToSmallTalk(message) !== undefined
}

/** Whether two messages are made of the same words. */
export function isSameWording(one: string, other: string): boolean {
  return wordsOf(one).join(' ') === wordsOf(other).join(' ')
}

function wordsOf(message: string): string[] {
  return message
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
}

/** The phrases that the words are, one after another, the longest that fits each time; nothing if they are anything else. */
function phrasesIn(words: string[]): { kind: Kind; language: SpokenLanguage }[] | undefined {
  const said = []
  for (let at = 0; at < words.length; ) {
    const length = phraseAt(words, at)
    if (length === 0 && (at === 0 || !WORDS_AFTER.has(words[at]!))) return undefined
    if (length > 0) said.push(PHRASES_SAID.get(words.slice(at, at + length).join(' '))!)
    at += Math.max(1, length)
  }
  return said
}

/** How many words the longest phrase has that begins here. */
function phraseAt(words: string[], at: number): number {
  for (let length = MOST_WORDS_IN_PHRASE; length > 0; length--) {
    if (PHRASES_SAID.has(words.slice(at, at + length).join(' '))) return length
  }
  return 0
}

/** That the sources do not hold it, in the language of the question, or else of what is found, and what comes nearest. */
export function sayNotFound(question: string, nearest: string[], found = ''): string {
  const { notFound, nearest: before } = phrasesFor(question, found)
  if (nearest.length === 0) return notFound
  return [notFound, before, ...nearest.map((title) => `- ${title}`)].join('\n')
}

/** That this may be it. */
export function sayUnsure(question: string, nearest: string, found: string): string {
  return `${phrasesFor(question, found).unsure}\n- ${nearest}`
}

/** In the language of the message, or else of what is found; English where that language has no phrases. */
function phrasesFor(message: string, found: string): Phrases {
  const language = detectLanguage(message, found)
  return PHRASES[isSpoken(language) ? language : 'en']
}
