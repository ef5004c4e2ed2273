import type { ChatWords, Language } from '@docent/words/words.ts'
import { createContext, type ReactNode, useContext } from 'react'

export interface Speech {
  language: Language
  words: ChatWords
}

const SpeechContext = createContext<Speech | undefined>(undefined)

export function SpeechProvider({ children, ...speech }: Speech & { children: ReactNode }) {
  return <SpeechContext value={speech}>{children}</SpeechContext>
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext)
  if (!speech) throw new Error('Words are used outside of SpeechProvider')
  return speech
}

export function useWords(): ChatWords {
  return useSpeech().words
}
