import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

// It lasts until the input ends, and is answered by messages of another kind.
const NEVER_ANSWERED = 'subscriptions/listen'

/**
 * The protocol's own transport drops what it was asked when the input ends. Somebody who pipes requests in closes it
 * right behind the last one, so that here whatever was asked is answered first.
 */
export class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<RequestId>()
  readonly #ended = Promise.withResolvers<void>()
  #isInputOver = false

  /** Comes true when everything is answered, or nobody is there to hear it. */
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
    // Whoever takes a request back does not get an answer to it.
    if (method === 'notifications/cancelled')
      this.#unanswered.delete(params?.requestId as RequestId)
  }

  #endWhenAnswered(): void {
    if (this.#isInputOver && this.#unanswered.size === 0) void this.close()
  }
}
