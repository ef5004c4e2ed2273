import { Account, Models, SignIn, Tokens } from './account.ts'
import { Chatbots } from './chatbots.ts'
import { type ClientOptions, Transport } from './http/send-request.ts'
import { Messages } from './messages.ts'
import { Sessions } from './sessions.ts'
import { Sources } from './sources.ts'
import { Visitors } from './visitors.ts'
import { Webhooks } from './webhooks.ts'

/**
 * A client for a Docent server.
 *
 * @example
 * ```ts
 * import { Docent } from '@docent/client'
 *
 * const client = new Docent({ baseUrl: 'https://chat.example.org', token: 'docent_…' })
 * const chatbot = await client.chatbots.create({ name: 'Museum guide' })
 * const source = await client.sources.addQa(chatbot, 'When are you open?', 'Daily from 9 to 17.')
 * await client.sources.waitUntilReady(source)
 *
 * const session = await client.sessions.create(chatbot)
 * for await (const text of client.sessions.askText(session, 'When do you open?')) console.log(text)
 * ```
 */
export class Docent {
  readonly chatbots: Chatbots
  readonly sources: Sources
  readonly sessions: Sessions
  readonly messages: Messages
  readonly webhooks: Webhooks
  readonly models: Models
  readonly tokens: Tokens
  readonly account: Account
  readonly signIn: SignIn
  readonly visitors: Visitors

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options)
    this.chatbots = new Chatbots(transport)
    this.sources = new Sources(transport)
    this.sessions = new Sessions(transport)
    this.messages = new Messages(transport)
    this.webhooks = new Webhooks(transport)
    this.models = new Models(transport)
    this.tokens = new Tokens(transport)
    this.account = new Account(transport)
    this.signIn = new SignIn(transport)
    this.visitors = new Visitors(transport)
  }
}
