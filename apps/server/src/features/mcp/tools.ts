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
  error: z.string().nullable().describe('Why it could not be taken in.'),
})
const Place = {
  title: z.string().describe('Of the source.'),
  page: z.number().nullable().describe('In documents with pages.'),
  url: z.string().nullable(),
  data_source_uuid: z.string(),
}
const FoundText = z.object({ text: z.string(), score: z.number(), ...Place })
const Citation = z.object({
  marker: z.string().describe('As it stands in the answer, such as 1.1.'),
  quote: z.string().describe('The words of the source that the answer rests on.'),
  ...Place,
})
const Reply = z.object({
  answer: z.string(),
  citations: z.array(Citation).describe('Empty where the chatbot does not show citations.'),
  finish_reason: z.string(),
  session: z.string().describe('Give it with the next question to go on with this conversation.'),
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
        'Chatbots that answer from sources of their owner, with citations. list_chatbots shows which there are.',
    },
  )

  server.registerTool(
    'list_chatbots',
    {
      title: 'List chatbots',
      description: 'The chatbots that can be asked, some at a time.',
      inputSchema: z.object({
        limit: z.int().min(1).max(500).default(100),
        after: z.string().optional().describe('Only what comes after the chatbot of this uuid.'),
      }),
      outputSchema: z.object({
        chatbots: z.array(ChatbotSummary),
        next: z.string().optional().describe('There are more: call again with it as "after".'),
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
      if (next !== undefined) lines.push(`There are more: call again with "after": "${next}".`)
      const none = after === undefined ? 'No chatbots yet.' : 'No more chatbots.'
      return result({ chatbots, ...(next && { next }) }, lines.join('\n') || none)
    },
  )

  server.registerTool(
    'list_sources',
    {
      title: 'List sources',
      description: 'What a chatbot answers from: web pages, files, question-and-answer pairs.',
      inputSchema: z.object({
        chatbot,
        limit: z.int().min(1).max(1000).default(100),
        after: z.string().optional().describe('Only what comes after the source of this uuid.'),
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
      description: 'The passages of a chatbot’s sources that fit a question, best first.',
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
      return result({ passages }, blocks.join('\n\n') || 'Nothing in the sources fits.')
    },
  )

  server.registerTool(
    'ask_chatbot',
    {
      title: 'Ask a chatbot',
      description:
        'Has a chatbot answer a question from its sources. Markers such as [1.1] in the answer name its citations.',
      inputSchema: z.object({
        chatbot,
        question,
        session: z
          .string()
          .optional()
          .describe('Of an earlier answer, so that a follow-up question is understood.'),
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
