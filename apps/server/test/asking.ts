import assert from 'node:assert/strict'
import type { Client } from './harness.ts'

export interface Answer {
  uuid: string
  text: string
  confidence: number
  answered: boolean
  cited: Record<string, { title: string; text: string }>
  receipts: Record<string, { quote: string }>
}

export async function makeChatbot(owner: Client, documents: Record<string, string>, settings = {}) {
  const chatbot = await owner.createChatbot({
    show_citations: true,
    rate_limit: [1000, 1],
    ...settings,
  })
  for (const [name, text] of Object.entries(documents)) {
    const upload = await owner.upload(chatbot, name, text)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  }
  return chatbot
}

/** Asks the questions in sequence and returns the last answer. */
export async function ask(owner: Client, chatbot: string, ...questions: string[]): Promise<Answer> {
  const session = await owner.createSession(chatbot)
  let text = ''
  for (const question of questions) text = await (await owner.ask(session, question)).text()
  const message = (await owner.messages(session)).at(-1)
  assert.equal(message.response, text)
  assert.equal(message.finish_reason, 'stop')
  const { confidence, answered, receipts = {} } = JSON.parse(message.meta_json)
  const cited = JSON.parse(message.cite_data_json)
  return { uuid: message.uuid, text, confidence, answered, receipts, cited }
}

/** Removes the marker and the ellipses from a quote. */
export function withoutSigns(text: string): string {
  return text.replace(/\s+\[1\.1\]$/, '').replace(/^… | …$/g, '')
}
