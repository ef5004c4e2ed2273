import { type Docent, sourceMeta } from '@docent/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { listCitations } from '../../features/mcp/list-citations.ts'
import { type ChatbotAccess, serveTools } from '../../features/mcp/tools.ts'
import type { Invocation } from '../command.ts'
import { AnsweringTransport } from './answering-transport.ts'
import { connect, findBot } from './connect.ts'

/** Serves the tools over standard input and output, until the client closes the input and has its responses. */
export async function serveMcp({ environment }: Invocation): Promise<void> {
  const { client } = connect(environment)
  // Reports a wrong token or address at once, not at the first tool call.
  await client.account.user()
  const access = reachChatbots(client)
  const transport = new AnsweringTransport()
  serveStdio(() => serveTools(access), { transport })
  await transport.ended
}

function reachChatbots(client: Docent): ChatbotAccess {
  return {
    listChatbots: (page) => client.chatbots.list(page),

    async listSources(given, page) {
      const sources = await client.sources.list(await findBot(client, given), page)
      return sources.map((source) => ({ ...source, error: sourceMeta(source).error ?? null }))
    },

    async searchPassages(given, query, limit) {
      return client.chatbots.search(await findBot(client, given), query, { limit })
    },

    async ask(given, question, session) {
      const uuid = session ?? (await client.sessions.create(await findBot(client, given))).uuid
      let message = ''
      for await (const event of client.sessions.ask(uuid, question)) {
        if (event.type === 'message-start') message = event.uuid
      }
      const { response, finish_reason, cite_data_json, meta_json } =
        await client.messages.get(message)
      return {
        answer: response,
        citations: listCitations(cite_data_json, meta_json),
        finish_reason,
        session: uuid,
        message,
      }
    },
  }
}
