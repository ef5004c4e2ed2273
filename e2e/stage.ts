import type { Client } from '../server/test/harness.ts'

export const ACCOUNT = { name: 'owner', password: 'a long enough password' }

export const MUSEUM = `# The Lantern Museum

## Opening hours

The museum is open every day from 9 to 17, and on Fridays until 21. It is closed on 1 January.

## Tickets

A ticket costs 12 euros. Children under six enter free. On the first Sunday of the month everybody enters free.

## Getting here

The museum stands at the harbour, five minutes on foot from the central station. There are lifts to all floors.
`

/** A chatbot with a source, suggested questions and a look of its own. */
export async function stageMuseum(owner: Client, settings: object = {}): Promise<string> {
  const chatbot = await owner.createChatbot({
    name: 'Museum guide',
    show_citations: true,
    visibility: 'public',
    ...settings,
  })
  const upload = await owner.upload(chatbot, 'lantern-museum.md', MUSEUM)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  await owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
    greeting: 'Welcome to the Lantern Museum! What would you like to know?',
    suggested_questions: ['When is the museum open?', 'What does a ticket cost?'],
  })
  return chatbot
}

export async function askAll(owner: Client, chatbot: string, questions: string[]): Promise<string> {
  const session = await owner.createSession(chatbot)
  for (const question of questions) await (await owner.ask(session, question)).text()
  return session
}

/** Creates the account over the interface; the value is the cookie of whoever is signed in. */
export async function createAccount(address: string): Promise<string> {
  const response = await fetch(`${address}/api/v1/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  return /docent_sign_in=([^;]+)/.exec(response.headers.get('set-cookie')!)![1]!
}
