import type { Chatbot, ChatbotUpdate, Docent } from '@docent/client'
import { type Invocation, required, UsageError } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { mayDelete } from '../terminal.ts'
import { connect, findBot } from './connect.ts'
import { chooseBot, rememberBot } from './current-chatbot.ts'

export async function createBot(call: Invocation): Promise<void> {
  const { client, url } = connect(call.environment)
  const name = required(call.args.join(' '), 'a name: docent bot create NAME')
  // The command line cites sources by default, so that users can check answers. API clients set their own default.
  const settings = { show_citations: true, ...readSettings(call) }
  const chatbot = await client.chatbots.create({ ...settings, name })
  rememberBot(call, url, chatbot)
  call.print(chatbot, `Created "${chatbot.name}" (${chatbot.uuid}). Commands without --bot use it.`)
}

export async function listBots({ environment, print }: Invocation): Promise<void> {
  const chatbots = await connect(environment).client.chatbots.list()
  const lines = chatbots.map(({ uuid, name, meta }) => `${uuid}  ${meta.visibility}  ${name}`)
  print(
    chatbots,
    lines.join('\n') || 'No chatbots yet. Run "docent bot create NAME" to create one.',
  )
}

export async function showBot(call: Invocation): Promise<void> {
  const server = connect(call.environment)
  const { url } = server
  const chatbot = await chooseBot(call, server, call.args.join(' ') || undefined)
  const { uuid, name, meta } = chatbot
  const visitors = {
    ...(meta.visibility === 'public' && { share_page: `${url}/c/${uuid}` }),
    ...(meta.visibility !== 'private' && {
      widget: `<script src="${url}/widget.js" data-chatbot="${uuid}" async></script>`,
    }),
  }
  const lines = Object.entries({ name, uuid, ...meta, ...visitors }).map(
    ([key, value]) =>
      `${key.padEnd(20)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  call.print(chatbot, lines.join('\n'))
}

export async function updateBot(call: Invocation): Promise<void> {
  const server = connect(call.environment)
  const { name } = call.values
  const changes = { ...readSettings(call), ...(name !== undefined && { name }) }
  if (Object.keys(changes).length === 0) {
    throw new UsageError(
      'Give a setting to change, such as --prompt. Run "docent help bot update" for a list.',
    )
  }
  if (call.switches.all) return updateAll(call, server.client, changes)
  const before = await chooseBot(call, server, required(call.args.join(' '), 'a chatbot'))
  const chatbot = await server.client.chatbots.update(before, changes)
  call.print(chatbot, `Updated "${chatbot.name}".`)
}

async function updateAll(
  { args, values, print }: Invocation,
  client: Docent,
  changes: ChatbotUpdate,
): Promise<void> {
  if (args.length > 0) throw new UsageError('Give a chatbot or --all, not both.')
  if (values.name !== undefined) throw new UsageError('--name cannot be used with --all.')
  const changed: Chatbot[] = []
  // Sequential, so that after a failure the earlier chatbots are changed and the command can run again.
  for await (const chatbot of client.chatbots.each())
    changed.push(await client.chatbots.update(chatbot, changes))
  print(changed, `Updated ${changed.length} chatbots.`)
}

export async function deleteBot(call: Invocation): Promise<number> {
  const { client } = connect(call.environment)
  const chatbot = await findBot(client, required(call.args.join(' '), 'a chatbot'))
  const what = `"${chatbot.name}" with its sources, sessions and messages`
  if (!(await mayDelete(call, 'Delete', what))) return EXIT.failed
  await client.chatbots.delete(chatbot)
  call.print(chatbot, `Deleted ${what}.`)
  return EXIT.done
}

function readSettings({ values, switches }: Invocation): ChatbotUpdate {
  const { model, prompt, temperature, visibility } = values
  const message = values['rate-limit-message']
  return {
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature: numberOf(temperature, '--temperature') }),
    ...(values['rate-limit'] !== undefined && { rate_limit: rateOf(values['rate-limit']) }),
    ...(message !== undefined && { rate_limit_message: message }),
    ...(switches.citations !== undefined && { show_citations: switches.citations }),
    ...(visibility !== undefined && { visibility: visibility as 'private' }),
  }
}

function rateOf(given: string): [number, number] {
  const [, messages, seconds] = /^(\d+)\/(\d+)$/.exec(given) ?? []
  if (!messages || !seconds) {
    throw new UsageError('--rate-limit must be messages/seconds, such as 20/240.')
  }
  return [Number(messages), Number(seconds)]
}

function numberOf(given: string, option: string): number {
  const number = Number(given)
  if (given.trim() === '' || Number.isNaN(number))
    throw new UsageError(`${option} must be a number.`)
  return number
}
