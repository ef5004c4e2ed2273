import { detectLanguage, type Language } from './detect-language.ts'
import { PHRASES } from './phrases.ts'

type Kind = 'greeting' | 'thanks' | 'goodbye'

const SAID: Record<Kind, Partial<Record<Language, string>>> = {
  greeting: {
    en: 'hi|hello|hey|hiya|good morning|good afternoon|good evening|good day|greetings|how are you|what s up',
    de: 'hallo|guten morgen|guten tag|guten abend|servus|moin|grüß gott',
    es: 'hola|buenos días|buenas tardes|buenas noches',
    fr: 'bonjour|bonsoir|salut|coucou',
    it: 'ciao|buongiorno|buonasera|salve',
    pt: 'olá|oi|bom dia|boa tarde|boa noite',
    nl: 'hallo daar|goedemorgen|goedemiddag|goedenavond',
    ro: 'bună|bună ziua|salut tuturor',
    tr: 'merhaba|selam|günaydın|iyi günler|iyi akşamlar',
    vi: 'xin chào|chào',
    pl: 'cześć|dzień dobry|dobry wieczór',
    ru: 'привет|здравствуйте|добрый день|добрый вечер|доброе утро',
    el: 'γεια|γεια σας|καλημέρα|καλησπέρα',
    ar: 'مرحبا|السلام عليكم|أهلا|صباح الخير|مساء الخير',
    hi: 'नमस्ते|नमस्कार',
    th: 'สวัสดี|สวัสดีครับ|สวัสดีค่ะ',
    zh: '你好|您好|嗨|早上好|晚上好',
    ja: 'こんにちは|こんばんは|おはよう|おはようございます',
    ko: '안녕|안녕하세요',
  },
  thanks: {
    en: 'thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank you so much|thank you very much|much appreciated|great|perfect|ok|okay',
    de: 'danke|vielen dank|danke schön|dankeschön',
    es: 'gracias|muchas gracias',
    fr: 'merci|merci beaucoup',
    it: 'grazie|grazie mille',
    pt: 'obrigado|obrigada|muito obrigado|muito obrigada',
    nl: 'dank je|dank u|bedankt',
    ro: 'mulțumesc|mersi',
    tr: 'teşekkürler|teşekkür ederim|sağ ol',
    vi: 'cảm ơn',
    pl: 'dziękuję|dzięki',
    ru: 'спасибо|большое спасибо',
    el: 'ευχαριστώ',
    ar: 'شكرا|شكرا لك',
    hi: 'धन्यवाद|शुक्रिया',
    th: 'ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ',
    zh: '谢谢|多谢|谢谢你',
    ja: 'ありがとう|ありがとうございます',
    ko: '감사합니다|고마워요',
  },
  goodbye: {
    en: 'bye|bye bye|goodbye|see you|see you later|have a nice day|have a good day',
    de: 'tschüss|auf wiedersehen',
    es: 'adiós|hasta luego',
    fr: 'au revoir|à bientôt',
    it: 'arrivederci',
    pt: 'tchau|até logo',
    nl: 'tot ziens|doei',
    tr: 'güle güle|hoşça kal',
    pl: 'do widzenia',
    ru: 'до свидания|пока',
    ar: 'مع السلامة|إلى اللقاء',
    zh: '再见|拜拜',
    ja: 'さようなら',
    ko: '안녕히 계세요',
  },
}

// Put together once, not for every message.
const REPLIES = (Object.keys(SAID) as Kind[]).flatMap((kind) =>
  Object.entries(SAID[kind]).map(([language, phrases]) => ({
    phrases: new Set(phrases.split('|')),
    reply: PHRASES[language as Language][kind],
  })),
)
const WORDS_AFTER = new Set(['there', 'all', 'everyone', 'again'])
const MOST_WORDS_IN_PHRASE = 4
const LONGEST = 80

/** A short reply to a greeting, thanks or a farewell that holds nothing else. */
export function replyToSmallTalk(message: string): string | undefined {
  if (message.length > LONGEST) return undefined
  const words = message
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean)
  if (words.length === 0) return undefined
  return REPLIES.find(({ phrases }) => areOnly(words, phrases))?.reply
}

/** Whether the words are phrases of these, one after another, the longest that fits each time. */
function areOnly(words: string[], phrases: Set<string>): boolean {
  let at = 0
  while (at < words.length) {
    const length = phraseAt(words, at, phrases)
    if (length === 0 && (at === 0 || !WORDS_AFTER.has(words[at]!))) return false
    at += Math.max(1, length)
  }
  return true
}

/** How many words the longest phrase has that begins here. */
function phraseAt(words: string[], at: number, phrases: Set<string>): number {
  for (let length = MOST_WORDS_IN_PHRASE; length > 0; length--) {
    if (phrases.has(words.slice(at, at + length).join(' '))) return length
  }
  return 0
}

/** That the sources do not hold it, in the language of the question, or else of what is found, and what comes nearest. */
export function sayNotFound(question: string, nearest: string[], found = ''): string {
  const { notFound, nearest: before } = PHRASES[detectLanguage(question, found)]
  if (nearest.length === 0) return notFound
  return [notFound, before, ...nearest.map((title) => `- ${title}`)].join('\n')
}

/** That this may be it. */
export function sayUnsure(question: string, nearest: string, found: string): string {
  return `${PHRASES[detectLanguage(question, found)].unsure}\n- ${nearest}`
}
