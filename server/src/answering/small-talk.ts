import { detectLanguage, type Language } from './detect-language.ts'
import { PHRASES } from './phrases.ts'

// The first that is said has the reply: “Ok, thanks, bye” is a farewell.
const REPLIED = ['about', 'goodbye', 'thanks', 'greeting'] as const
type Kind = (typeof REPLIED)[number] | 'rest'

const SAID: Record<Kind, Partial<Record<Language, string>>> = {
  about: {
    en: 'who are you|what are you|what can you do|what can you do for me|what can you help me with|how can you help me|what can i ask|what can i ask you|are you a bot|are you a robot|are you human|are you a human|are you real|are you a real person|are you an ai|is this a bot|am i talking to a bot|am i talking to a human',
    de: 'wer bist du|wer sind sie|was bist du|was kannst du|was können sie|wobei kannst du mir helfen|wobei können sie mir helfen|bist du ein bot|bist du ein mensch|sind sie ein bot|sind sie ein mensch',
    es: 'quién eres|qué eres|quién es usted|qué puedes hacer|qué puede hacer|eres un bot|eres humano',
    fr: 'qui es tu|qui êtes vous|que peux tu faire|que pouvez vous faire|es tu un robot|êtes vous un robot',
    it: 'chi sei|cosa sei|cosa puoi fare|sei un bot',
    pt: 'quem é você|o que você pode fazer|você é um robô',
    nl: 'wie ben je|wie bent u|wat kun je|wat kunt u|ben je een bot',
    ro: 'cine ești|ce poți face',
    tr: 'kimsin|sen kimsin|siz kimsiniz|ne yapabilirsin',
    vi: 'bạn là ai|bạn có thể làm gì',
    pl: 'kim jesteś|co potrafisz|jesteś botem',
    ru: 'кто ты|кто вы|что ты умеешь|что вы умеете|ты бот|вы бот',
    el: 'ποιος είσαι|τι μπορείς να κάνεις',
    ar: 'من أنت|ماذا يمكنك أن تفعل',
    hi: 'आप कौन हैं|तुम कौन हो',
    th: 'คุณคือใคร|คุณทำอะไรได้บ้าง',
    zh: '你是谁|您是谁|你能做什么|您能做什么|你是机器人吗',
    ja: 'あなたは誰ですか|何ができますか',
    ko: '누구세요|당신은 누구입니까|무엇을 할 수 있나요',
  },
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
    en: 'thanks|thank you|thx|ty|cheers|many thanks|thanks a lot|thank you so much|thank you very much|much appreciated',
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
  // Beside any of the others, or alone after an answer.
  rest: {
    en: 'ok|okay|alright|great|perfect|nice|cool|super|awesome|excellent|wonderful|brilliant|lovely|got it|i see|understood|all good|all clear|no problem|that s all|that is all|that s great|that s perfect|that helps|that helped|that helped a lot|that helps a lot|this helps|this helped|it helped|that worked|it worked|it works|it works now|that was helpful|very helpful|for your help|for the help|for the info|for that|for the quick answer|a lot|so much',
    de: 'super|toll|prima|klasse|perfekt|alles klar|verstanden|das hilft|das hilft mir|das hat geholfen|das hat mir geholfen|das hat geklappt|das hat funktioniert|hat geholfen|hat geklappt|für die hilfe|für ihre hilfe|für deine hilfe|das war alles',
    es: 'vale|perfecto|genial|entendido|de acuerdo|me ayudó mucho|por tu ayuda|por su ayuda|eso es todo',
    fr: 'parfait|d accord|compris|ça marche|génial|pour votre aide|pour ton aide|c est parfait|c est tout|ça m a aidé',
    it: 'perfetto|va bene|capito|per l aiuto',
    pt: 'perfeito|ótimo|entendi|pela ajuda',
    nl: 'prima|top|begrepen|voor de hulp|voor je hulp',
    pl: 'super|świetnie|rozumiem|za pomoc',
    ru: 'хорошо|отлично|понятно|за помощь',
    zh: '好的|太好了|明白了',
    ja: 'わかりました|了解です',
    ko: '알겠습니다|좋아요',
  },
}

// Put together once, not for every message. Of phrases that several languages have, the first counts.
const PHRASES_SAID = new Map<string, { kind: Kind; language: Language }>()
for (const kind of [...REPLIED, 'rest'] as const)
  for (const [language, phrases] of Object.entries(SAID[kind]))
    for (const phrase of phrases.split('|'))
      if (!PHRASES_SAID.has(phrase))
        PHRASES_SAID.set(phrase, { kind, language: language as Language })

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
  return isGlad ? PHRASES[detectLanguage(message, found)].thanks : undefined
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
function phrasesIn(words: string[]): { kind: Kind; language: Language }[] | undefined {
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
  const { notFound, nearest: before } = PHRASES[detectLanguage(question, found)]
  if (nearest.length === 0) return notFound
  return [notFound, before, ...nearest.map((title) => `- ${title}`)].join('\n')
}

/** That this may be it. */
export function sayUnsure(question: string, nearest: string, found: string): string {
  return `${PHRASES[detectLanguage(question, found)].unsure}\n- ${nearest}`
}
