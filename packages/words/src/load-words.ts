import type { ChatWords, Language, Words } from './words.ts'

// Dynamic imports, so that a page loads only the language that it shows.
const FILES: Record<Language, () => Promise<Words>> = {
  en: async () => (await import('./interface/en.ts')).en,
  de: async () => (await import('./interface/de.ts')).de,
  es: async () => (await import('./interface/es.ts')).es,
  fr: async () => (await import('./interface/fr.ts')).fr,
  zh: async () => (await import('./interface/zh.ts')).zh,
  ar: async () => (await import('./interface/ar.ts')).ar,
}

const CHAT_FILES: Record<Language, () => Promise<ChatWords>> = {
  en: async () => (await import('./chat/en.ts')).chatWords,
  de: async () => (await import('./chat/de.ts')).chatWords,
  es: async () => (await import('./chat/es.ts')).chatWords,
  fr: async () => (await import('./chat/fr.ts')).chatWords,
  zh: async () => (await import('./chat/zh.ts')).chatWords,
  ar: async () => (await import('./chat/ar.ts')).chatWords,
}

export function loadWords(language: Language): Promise<Words> {
  return FILES[language]()
}

/** A quarter of the size of all words: visitors do not wait for the words of the console. */
export function loadChatWords(language: Language): Promise<ChatWords> {
  return CHAT_FILES[language]()
}
