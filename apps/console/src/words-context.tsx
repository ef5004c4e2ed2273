import { SpeechProvider as ChatSpeechProvider } from '@docent/widget/chat/words-context.tsx'
import type { Language, Words } from '@docent/words/words.ts'
import { createContext, type ReactNode, useContext } from 'react'

export interface Speech {
  language: Language
  words: Words
}

const SpeechContext = createContext<Speech | undefined>(undefined)

/** Provides the words to the console and to its chats. */
export function SpeechProvider({ children, ...speech }: Speech & { children: ReactNode }) {
  return (
    <SpeechContext value={speech}>
      <ChatSpeechProvider {...speech}>{children}</ChatSpeechProvider>
    </SpeechContext>
  )
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext)
  if (!speech) throw new Error('Words are used outside of SpeechProvider')
  return speech
}

export function useWords(): Words {
  return useSpeech().words
}
