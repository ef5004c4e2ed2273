import { createInterface } from 'node:readline'
import { type Docent, DocentError, type Message } from '@docent/client'
import { listCitations } from '../../features/mcp/list-citations.ts'
import type { Citation } from '../../features/mcp/tools.ts'
import type { Invocation } from '../command.ts'
import { Interrupted, type Terminal } from '../terminal.ts'
import { connect } from './connect.ts'
import { chooseBot } from './current-chatbot.ts'
import { shortenQuote } from './shorten-quote.ts'

/** Chats in the terminal: answers the given question, each line of the input, or questions as the user types them. */
export async function chat(call: Invocation): Promise<void> {
  const { args, values, json, environment, terminal } = call
  const server = connect(environment)
  const { client } = server
  let session = values.session
  let bot = values.bot
  if (!session) {
    const chatbot = await chooseBot(call, server, bot)
    bot = chatbot.name
    session = (await client.sessions.create(chatbot)).uuid
  }
  const talk = { client, session, json, terminal }
  if (args.length > 0) return await askOnce(talk, args.join(' '))
  if (terminal.isInputTty && terminal.isOutputTty) return await converse(talk, bot)
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') await askOnce(talk, line.trim())
  }
}

interface Talk {
  client: Docent
  session: string
  json: boolean
  terminal: Terminal
}

async function askOnce({ client, session, json, terminal }: Talk, question: string): Promise<void> {
  const stopped = new AbortController()
  const onSignal = () => stopped.abort(new Interrupted())
  // The signal may arrive twice for one Ctrl-C. The server stops the answer before this ends.
  process.on('SIGINT', onSignal)
  let uuid = ''
  let text = ''
  try {
    const options = { signal: stopped.signal, stopWhenLeft: true }
    for await (const event of client.sessions.ask(session, question, options)) {
      if (event.type === 'message-start') uuid = event.uuid
      if (event.type !== 'text-delta') continue
      text += event.text
      if (!json) terminal.write(event.text)
    }
  } finally {
    process.off('SIGINT', onSignal)
    if (!json && text !== '') terminal.print('')
  }
  const message = await client.messages.get(uuid)
  if (json) terminal.print(JSON.stringify(describe(message, session)))
  else for (const citation of citationsOf(message)) terminal.print(footnote(citation, text))
  if (!json) terminal.print('')
}

/** Answers one question after the other. Ctrl-C stops a running answer, or else ends the conversation. */
async function converse(talk: Talk, bot: string | undefined): Promise<void> {
  const { terminal } = talk
  terminal.note(
    `Chatting with ${bot ?? 'a chatbot'}. Enter an empty line or press Ctrl-D to end.\n`,
  )
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  let isAnswering = false
  lines.on('SIGINT', () => (isAnswering ? process.emit('SIGINT') : lines.close()))
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === '') break
    isAnswering = true
    await askOnce(talk, line.trim()).catch((error) => {
      if (!(error instanceof DocentError || error instanceof Interrupted)) throw error
      terminal.note(error.message)
    })
    isAnswering = false
    lines.prompt()
  }
  lines.close()
}

function describe(message: Message, session: string) {
  return {
    question: message.query,
    answer: message.response,
    citations: citationsOf(message),
    finish_reason: message.finish_reason,
    session,
    message: message.uuid,
  }
}

function citationsOf({ cite_data_json, meta_json }: Message): Citation[] {
  return listCitations(cite_data_json, meta_json)
}

function footnote({ marker, title, quote, page, url }: Citation, answer: string): string {
  const where = [page !== null && `page ${page}`, url].filter(Boolean).join(', ')
  const quoted = shortenQuote(quote, answer)
  return `  [${marker}] ${title}${where ? ` (${where})` : ''}: “${quoted}”`
}
