import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

// This request lasts until the input ends. Its answers are messages of another kind.
const NEVER_ANSWERED = 'subscriptions/listen'

/**
 * The protocol's own transport drops pending requests when the input ends. A client that pipes requests closes the
 * input right after the last one, so this transport answers all of them first.
 */
export class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<RequestId>()
  readonly #ended = Promise.withResolvers<void>()
  #isInputOver = false

  /** Resolves when every request is answered, or when the connection is closed. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage
    this.onmessage = (message) => {
      this.#count(message)
      deliver?.(message)
    }
    await super.start()
  }

  // The last message was delivered before.
  override _onstdinclose = () => {
    this.#isInputOver = true
    this.#endWhenAnswered()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id)
      this.#endWhenAnswered()
    }
  }

  override async close(): Promise<void> {
    await super.close()
    this.#ended.resolve()
  }

  #count(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    const { method, params } = message
    if ('id' in message && method !== NEVER_ANSWERED) this.#unanswered.add(message.id)
    // A canceled request gets no response.
    if (method === 'notifications/cancelled')
      this.#unanswered.delete(params?.requestId as RequestId)
  }

  #endWhenAnswered(): void {
    if (this.#isInputOver && this.#unanswered.size === 0) void this.close()
  }
}
