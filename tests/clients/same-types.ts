import type * as client from '@docent/client'
import type { ServerEvent } from '@docent/client/http/read-events.ts'
import type { ChatbotUpdate, NewChatbot } from '@docent/contract/chatbots.ts'
import type { Citation, Receipt, StreamEvent } from '@docent/contract/messages.ts'
import type { Credentials } from '@docent/contract/sign-in.ts'

// Compares the client's handwritten types with the contract, when compiled. Both must be assignable to each other and
// have the same keys, or "npm run check" fails here.

type Keys<T> = T extends readonly (infer Item)[] ? keyof Item : keyof T
type Same<Ours, Theirs> = [Ours] extends [Theirs]
  ? [Theirs] extends [Ours]
    ? [Keys<Ours>] extends [Keys<Theirs>]
      ? [Keys<Theirs>] extends [Keys<Ours>]
        ? []
        : [never, 'the client lacks', Exclude<Keys<Theirs>, Keys<Ours>>]
      : [never, 'the server lacks', Exclude<Keys<Ours>, Keys<Theirs>>]
    : [never, 'the server has what the client does not take', Theirs]
  : [never, 'the client has what the server does not take', Ours]

declare function same<Ours, Theirs>(...verdict: Same<Ours, Theirs>): void

export function holdTypes(): void {
  same<client.Citation, Citation>()
  same<client.Receipt, Receipt>()
  same<ServerEvent, StreamEvent>()
  same<Parameters<client.SignIn['signIn']>[0], Credentials>()
  // The server also accepts other spellings of these settings, which the client does not need.
  same<client.NewChatbot, Omit<NewChatbot, 'meta' | 'show_citation'>>()
  same<client.ChatbotUpdate, Omit<ChatbotUpdate, 'meta' | 'show_citation'>>()
}
