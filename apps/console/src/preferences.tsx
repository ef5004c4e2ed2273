import { loadWords } from '@docent/words/load-words.ts'
import { chooseLanguage, directionOf, isLanguage, type Language } from '@docent/words/words.ts'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { type Speech, SpeechProvider } from './words-context.tsx'

export type Theme = 'auto' | 'light' | 'dark'

interface Preferences {
  theme: Theme
  setTheme: (theme: Theme) => void
  setLanguage: (language: Language) => void
}

const PreferencesContext = createContext<Preferences | undefined>(undefined)

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext)
  if (!preferences) throw new Error('Preferences are used outside of their provider')
  return preferences
}

export function preferredLanguage(): Language {
  const chosen = localStorage.getItem('docent.language')
  return isLanguage(chosen) ? chosen : chooseLanguage(navigator.languages)
}

function preferredTheme(): Theme {
  const chosen = localStorage.getItem('docent.theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto'
}

/** Language and appearance, stored in this browser. A language change redraws the page without a reload. */
export function PreferencesProvider({ first, children }: { first: Speech; children: ReactNode }) {
  const [speech, setSpeech] = useState(first)
  const [theme, setTheme] = useState(preferredTheme)

  useEffect(() => {
    document.documentElement.lang = speech.language
    document.documentElement.dir = directionOf(speech.language)
  }, [speech])

  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('docent.theme', theme)
  }, [theme])

  const setLanguage = (language: Language) => {
    localStorage.setItem('docent.language', language)
    void loadWords(language).then((words) => setSpeech({ language, words }))
  }
  return (
    <PreferencesContext value={{ theme, setTheme, setLanguage }}>
      <SpeechProvider {...speech}>{children}</SpeechProvider>
    </PreferencesContext>
  )
}
