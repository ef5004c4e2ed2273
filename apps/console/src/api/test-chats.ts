import type { Draft } from '@docent/widget/chat/composer.tsx'
import { type OwnerChat, ownerChat } from './owner-chat.ts'

export interface TestChats {
  shown: OwnerChat
  /** Kept so that the user can go back to it. */
  previous: OwnerChat | undefined
  draft: Draft
}

const kept = new Map<string, TestChats>()

/** Test chats survive page changes until the console is closed. */
export function testChatsOf(chatbot: string): TestChats {
  const begun = { shown: ownerChat(chatbot), previous: undefined, draft: { text: '' } }
  return kept.get(chatbot) ?? keep(chatbot, begun)
}

/** Starts an empty chat. The current chat stays available if it has a question. */
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
