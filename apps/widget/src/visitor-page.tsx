import { loadChatWords } from '@docent/words/load-words.ts'
import { chooseLanguage, directionOf } from '@docent/words/words.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SpeechProvider } from './chat/words-context.tsx'
import { keepInSight } from './keep-in-sight.ts'
import { VisitorChat } from './visitor-chat.tsx'
import './visitor-page.css'

// The same page serves both: /c/{uuid} is the share page, /widget/{uuid} is the widget's frame.
const [, kind, chatbot = ''] = location.pathname.split('/')
const channel = kind === 'c' ? 'share' : 'widget'

const asked = new URLSearchParams(location.search)
const wanted = asked.get('language')
const language = chooseLanguage(wanted ? [wanted] : navigator.languages)
const words = await loadChatWords(language)
document.documentElement.lang = language
document.documentElement.dir = directionOf(language)

// In a frame, the widget's script does this instead.
if (window.parent === window) keepInSight(document.documentElement)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SpeechProvider language={language} words={words}>
      <VisitorChat chatbot={chatbot} channel={channel} isPreview={asked.has('preview')} />
    </SpeechProvider>
  </StrictMode>,
)
