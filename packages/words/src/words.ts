import type { chatWords } from './chat/en.ts'
import type { en } from './interface/en.ts'

/** English defines the texts that every language must have. */
export type Words = Widened<typeof en>

/** The subset that visitors need. */
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

/** The first supported language of the reader, or English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  return codes.find(isLanguage) ?? 'en'
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** Wraps a name or address so that it keeps its own text direction inside a sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}

/** Replaces placeholders with values: `fill('{count} pages', { count: 3 })`. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}
