import type { chatWords } from './chat/en.ts'
import type { en } from './interface/en.ts'

/** Every language has all of the words that English has. */
export type Words = Widened<typeof en>

/** Those of them that visitors are shown, too. */
export type ChatWords = Widened<typeof chatWords>

type Widened<T> = { [Key in keyof T]: T[Key] extends string ? string : Widened<T[Key]> }

export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  zh: '中文',
  ar: 'العربية',
} as const

export type Language = keyof typeof LANGUAGES

export function isLanguage(given: string | null | undefined): given is Language {
  return given != null && Object.hasOwn(LANGUAGES, given)
}

/** The first language of the reader that there is; otherwise English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  return codes.find(isLanguage) ?? 'en'
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** A name or an address that a sentence is to be filled with: it keeps its own direction. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

/** Puts values where a sentence names them: `fill('{count} pages', { count: 3 })`. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}
