import type { Draft } from '@docent/widget/chat/composer.tsx'
import { type OwnerChat, ownerChat } from './owner-chat.ts'

export interface TestChats {
  shown: OwnerChat
  /** The one before it, to go back to. */
  previous: OwnerChat | undefined
  draft: Draft
}

const kept = new Map<string, TestChats>()

/** What is tried of a chatbot. It is kept for as long as the console is open, whatever page is shown. */
export function testChatsOf(chatbot: string): TestChats {
  const begun = { shown: ownerChat(chatbot), previous: undefined, draft: { text: '' } }
  return kept.get(chatbot) ?? keep(chatbot, begun)
}

/** An empty one. The one that was shown can be had back, unless nothing was asked in it. */
export function beginTestChat(chatbot: string): TestChats {
  const { shown, previous, draft } = testChatsOf(chatbot)
  return keep(chatbot, {
    shown: ownerChat(chatbot),
    previous: shown.hasBegun() ? shown : previous,
    draft,
  })
}

export function goBackToTestChat(chatbot: string, previous: OwnerChat): TestChats {
  const { shown, draft } = testChatsOf(chatbot)
  return keep(chatbot, { shown: previous, previous: shown.hasBegun() ? shown : undefined, draft })
}

function keep(chatbot: string, chats: TestChats): TestChats {
  kept.set(chatbot, chats)
  return chats
}
