// Which of the languages that we have sentences for a message is in. Guessing wrong costs a sentence in English.

const SCRIPTS: [script: RegExp, language: Language][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
  [/[¿¡ñ]/i, 'es'],
  [/ß/, 'de'],
]

// Words that hold sentences together. Some do in several languages.
const SMALL_WORDS = Map.groupBy(
  (
    [
      [
        'en',
        'the what how is are do does which who when where why can you your my of and to i it for with from at an this that have has will if or be there any',
      ],
      [
        'de',
        'der die das und ist wie was wer wann wo wohin woher warum kann ich ihr wir mein meine sie ein eine den dem mit im auf bei zum nach nicht für kostet',
      ],
      [
        'es',
        'el los las qué que cómo cuál cuándo dónde quién cuánto cuanto por para con puedo mi una es está hay del hola',
      ],
      [
        'fr',
        'le les des est que quel quelle comment quand où qui pourquoi combien je vous il faut mon ma puis une et du',
      ],
      ['it', 'il gli che come quando dove chi perché posso mio mia una sono della è di'],
      ['pt', 'o os as que qual como quando onde quem posso meu minha uma é são do da não'],
      ['nl', 'het een wat hoe wie wanneer waar waarom kan ik mijn en van zijn voor'],
      ['ro', 'și este care cum când unde cine pot meu mea sunt pentru din ce'],
      ['tr', 've ne nasıl kim nerede neden hangi mi mı bir için var mıyım kaç'],
      ['vi', 'là gì như thế nào khi ở đâu ai tại sao tôi của và có không'],
      ['pl', 'jest co jak kto kiedy gdzie dlaczego czy mogę mój i na w się'],
    ] as [Language, string][]
  ).flatMap(([language, words]) => words.split(' ').map((word) => ({ word, language }))),
  ({ word }) => word,
)

export type Language =
  | 'en'
  | 'de'
  | 'es'
  | 'fr'
  | 'it'
  | 'pt'
  | 'nl'
  | 'ro'
  | 'tr'
  | 'vi'
  | 'pl'
  | 'ru'
  | 'el'
  | 'ar'
  | 'hi'
  | 'th'
  | 'zh'
  | 'ja'
  | 'ko'

/** English when nothing speaks for another; or the language of another text, where that says more. */
export function detectLanguage(text: string, other = ''): Language {
  const byScript = SCRIPTS.find(([script]) => script.test(text))
  if (byScript) return byScript[1]
  const { most, likely } = countVotes(text)
  const another = likely.length !== 1 ? languageOf(other) : undefined
  if (another && (most === 0 || likely.includes(another))) return another
  return most === 0 || likely.includes('en') ? 'en' : likely[0]!
}

// One word says little of a long text: in “Mon 9 to 5”, it is no French one.
const FEWEST_VOTES = 2

function languageOf(text: string): Language | undefined {
  if (text === '') return undefined
  const byScript = SCRIPTS.find(([script]) => script.test(text))
  if (byScript) return byScript[1]
  const { most, likely } = countVotes(text)
  return most < FEWEST_VOTES || likely.includes('en') ? 'en' : likely[0]!
}

/** Each word counts once. */
function countVotes(text: string): { most: number; likely: Language[] } {
  const words = new Set(Array.from(text.toLowerCase().matchAll(/\p{L}+/gu), ([word]) => word))
  const votes = new Map<Language, number>()
  for (const word of words) {
    for (const { language } of SMALL_WORDS.get(word) ?? [])
      votes.set(language, (votes.get(language) ?? 0) + 1)
  }
  const most = Math.max(0, ...votes.values())
  const likely = [...votes].filter(([, count]) => count === most).map(([language]) => language)
  return { most, likely }
}
