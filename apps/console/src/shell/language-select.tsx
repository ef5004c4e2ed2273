import { LANGUAGES, type Language } from '@docent/words/words.ts'
import { usePreferences } from '../preferences.tsx'
import { useSpeech } from '../words-context.tsx'

export function LanguageSelect() {
  const { language, words } = useSpeech()
  const { setLanguage } = usePreferences()
  return (
    <select
      className="input language-select"
      aria-label={words.shell.language}
      value={language}
      onChange={(event) => setLanguage(event.target.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
