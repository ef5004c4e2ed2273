import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * The calls that the tools make: directly on the server under /mcp, over the API in "docent mcp". The tools leave out
 * fields that are not theirs.
 */
export interface ChatbotAccess {
  listChatbots(page: Page): Promise<ChatbotSummary[]>
  listSources(chatbot: string, page: Page): Promise<SourceSummary[]>
  searchPassages(chatbot: string, query: string, limit: number): Promise<FoundText[]>
  ask(chatbot: string, question: string, session?: string): Promise<Reply>
}

interface Page {
  limit: number
  after?: string
}

const ChatbotSummary = z.object({ uuid: z.string(), name: z.string() })
const SourceSummary = z.object({
  uuid: z.string(),
  title: z.string(),
  type: z.string().describe('link, qa or upload'),
  status: z.string().describe('success when its passages can be found'),
  error: z.string().nullable().describe('Why the source failed.'),
})
const Place = {
  title: z.string().describe('The title of the source.'),
  page: z.number().nullable().describe('The page, for documents with pages.'),
  url: z.string().nullable(),
  data_source_uuid: z.string(),
}
const FoundText = z.object({ text: z.string(), score: z.number(), ...Place })
const Citation = z.object({
  marker: z.string().describe('The marker in the answer, such as 1.1.'),
  quote: z.string().describe('The cited words of the source.'),
  ...Place,
})
const Reply = z.object({
  answer: z.string(),
  citations: z.array(Citation).describe('Empty if the chatbot does not show citations.'),
  finish_reason: z.string(),
  session: z.string().describe('Send it with the next question to continue this session.'),
  message: z.string(),
})

type ChatbotSummary = z.infer<typeof ChatbotSummary>
type SourceSummary = z.infer<typeof SourceSummary>
type FoundText = z.infer<typeof FoundText>
export type Citation = z.infer<typeof Citation>
export type Reply = z.infer<typeof Reply>

const chatbot = z.string().min(1).describe('The uuid of a chatbot, or its name.')
const question = z
  .string()
  .trim()
  .min(1)
  .max(32_000)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid Unicode')
const READS = { readOnlyHint: true, openWorldHint: false } as const

/** Offers the chatbots of a user as tools of the Model Context Protocol. Created for each request or connection. */
export function serveTools(access: ChatbotAccess): McpServer {
  const server = new McpServer(
    { name: 'docent', title: 'Docent', version: '1' },
    {
      instructions:
        'Chatbots that answer from the sources of their owner, with citations. Call list_chatbots to find them.',
    },
  )

  server.registerTool(
    'list_chatbots',
    {
      title: 'List chatbots',
      description: 'Lists your chatbots in pages.',
      inputSchema: z.object({
        limit: z.int().min(1).max(500).default(100),
        after: z.string().optional().describe('Only chatbots after this UUID.'),
      }),
      outputSchema: z.object({
        chatbots: z.array(ChatbotSummary),
        next: z
          .string()
          .optional()
          .describe('Set if there are more chatbots: call again with it as "after".'),
      }),
      annotations: READS,
    },
    async ({ limit, after }) => {
      // The extra row tells whether there are more.
      const page = { limit: limit + 1, ...(after !== undefined && { after }) }
      const found = await access.listChatbots(page)
      const chatbots = z.array(ChatbotSummary).parse(found.slice(0, limit))
      const next = found.length > limit ? chatbots.at(-1)?.uuid : undefined
      const lines = chatbots.map(({ uuid, name }) => `${name} (${uuid})`)
      if (next !== undefined)
        lines.push(`There are more chatbots. Call again with "after": "${next}".`)
      const none = after === undefined ? 'No chatbots yet.' : 'No more chatbots.'
      return result({ chatbots, ...(next && { next }) }, lines.join('\n') || none)
    },
  )

  server.registerTool(
    'list_sources',
    {
      title: 'List sources',
      description: 'Lists the sources of a chatbot: web pages, files, question-and-answer pairs.',
      inputSchema: z.object({
        chatbot,
        limit: z.int().min(1).max(1000).default(100),
        after: z.string().optional().describe('Only sources after this UUID.'),
      }),
      outputSchema: z.object({ sources: z.array(SourceSummary) }),
      annotations: READS,
    },
    async ({ chatbot, limit, after }) => {
      const page = { limit, ...(after !== undefined && { after }) }
      const sources = z.array(SourceSummary).parse(await access.listSources(chatbot, page))
      const lines = sources.map(({ uuid, title, type, status, error }) =>
        [`${title} (${type}, ${status}, ${uuid})`, error].filter(Boolean).join(': '),
      )
      return result({ sources }, lines.join('\n') || 'No sources yet.')
    },
  )

  server.registerTool(
    'search_passages',
    {
      title: 'Search passages',
      description: 'Finds passages in the sources of a chatbot that match a question, best first.',
      inputSchema: z.object({
        chatbot,
        query: question,
        limit: z.int().min(1).max(50).default(10),
      }),
      outputSchema: z.object({ passages: z.array(FoundText) }),
      annotations: READS,
    },
    async ({ chatbot, query, limit }) => {
      const found = await access.searchPassages(chatbot, query, limit)
      const passages = z.array(FoundText).parse(found)
      const blocks = passages.map((passage) => `${place(passage)}\n${passage.text}`)
      return result({ passages }, blocks.join('\n\n') || 'No passages match.')
    },
  )

  server.registerTool(
    'ask_chatbot',
    {
      title: 'Ask a chatbot',
      description:
        'Asks a chatbot, which answers from its sources. Markers such as [1.1] in the answer refer to its citations.',
      inputSchema: z.object({
        chatbot,
        question,
        session: z
          .string()
          .optional()
          .describe('The session of an earlier answer, for follow-up questions.'),
      }),
      outputSchema: Reply,
      // Asking stores the question and its answer.
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ chatbot, question, session }) => {
      const reply = await access.ask(chatbot, question, session)
      const notes = reply.citations.map(
        (citation) => `[${citation.marker}] ${place(citation)}: “${citation.quote}”`,
      )
      return result(reply, [reply.answer, ...notes, `Session: ${reply.session}`].join('\n\n'))
    },
  )

  return server
}

/** Returns the data twice: structured for programs, as text for models that read text only. */
function result(data: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent: data, content: [{ type: 'text', text }] }
}

function place({ title, page, url }: Pick<FoundText, 'title' | 'page' | 'url'>): string {
  const where = [page !== null && `page ${page}`, url].filter(Boolean).join(', ')
  return where ? `${title} (${where})` : title
}
