import { BEFORE_THE_CHAT } from '@docent/words/before-the-chat.ts'
import { directionOf, type Language } from '@docent/words/words.ts'

export interface ChatFrame {
  frame: HTMLIFrameElement
  /** Shows the frame once its page has content. */
  reveal(): void
  remove(): void
}

const LONGEST_MS = 20_000
// A loaded page reports itself after fetching its words. The browser's own error page never does.
const LONGEST_AFTER_LOAD_MS = 4_000

/** Adds the chat's frame and a cover, which shows progress or failure until the frame has content. */
export function addChatFrame(
  root: ShadowRoot,
  { title, src, language }: { title: string; src: string; language: Language },
  onRetry: () => void,
): ChatFrame {
  const words = BEFORE_THE_CHAT[language]
  const cover = document.createElement('div')
  cover.className = 'cover'
  cover.lang = language
  cover.dir = directionOf(language)
  const text = document.createElement('p')
  text.role = 'status'
  text.textContent = words.loading
  cover.append(text)

  const fail = () => {
    const retry = document.createElement('button')
    retry.type = 'button'
    retry.textContent = words.retry
    retry.addEventListener('click', onRetry)
    text.textContent = words.failed
    cover.replaceChildren(text, retry)
  }
  let timer = setTimeout(fail, LONGEST_MS)

  const frame = document.createElement('iframe')
  frame.title = title
  frame.src = src
  frame.allow = 'clipboard-write'
  frame.addEventListener('load', () => {
    clearTimeout(timer)
    if (cover.isConnected) timer = setTimeout(fail, LONGEST_AFTER_LOAD_MS)
  })
  root.prepend(frame, cover)

  const reveal = () => {
    clearTimeout(timer)
    cover.remove()
  }
  return {
    frame,
    reveal,
    remove() {
      reveal()
      frame.remove()
    },
  }
}
