// A bot that answers where it is mentioned, in a thread, and shows the answer while it is being written.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { env } from 'node:process'
import { Docent } from '@docent/client'

const { DOCENT_URL, DOCENT_TOKEN, CHATBOT, SLACK_TOKEN, SLACK_SECRET, SLACK_API, PORT } = env
const api = SLACK_API ?? 'https://slack.com/api'
const docent = new Docent({ baseUrl: DOCENT_URL!, token: DOCENT_TOKEN! })

interface Mention {
  type: string
  text: string
  channel: string
  ts: string
  /** The thread, when it was said in one. */
  thread_ts?: string
}

/** Each thread is a conversation of its own. */
const sessions = new Map<string, Promise<{ uuid: string }>>()
/** What comes twice is answered once: an event that is not acknowledged in time is sent again. */
const seen = new Set<string>()

async function say(method: string, message: object): Promise<{ ts: string }> {
  const response = await fetch(`${api}/${method}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SLACK_TOKEN}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(message),
  })
  const body = (await response.json()) as { ok: boolean; ts: string; error?: string }
  if (!body.ok) throw new Error(`${method}: ${body.error}`)
  return body
}

async function answer({ text, channel, ts, thread_ts = ts }: Mention): Promise<void> {
  const question = text.replaceAll(/<@\w+>/g, '').trim()
  const thread = `${channel} ${thread_ts}`
  const session = sessions.get(thread) ?? docent.sessions.create(CHATBOT!)
  sessions.set(thread, session)
  const reply = await say('chat.postMessage', { channel, thread_ts, text: '…' })
  let said = ''
  let shownAt = Date.now()
  try {
    for await (const piece of docent.sessions.askText(await session, question)) {
      said += piece
      // Not every word is worth a call: once a second is what the service allows.
      if (Date.now() - shownAt < 1_000) continue
      shownAt = Date.now()
      await say('chat.update', { channel, ts: reply.ts, text: `${said} …` })
    }
  } catch (error) {
    said += `\n_${(error as Error).message}_`
  }
  await say('chat.update', { channel, ts: reply.ts, text: said })
}

/** Whether it was signed with our secret, and lately. */
function isGenuine(headers: NodeJS.Dict<string | string[]>, body: string): boolean {
  const time = String(headers['x-slack-request-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false
  const expected = createHmac('sha256', SLACK_SECRET!).update(`v0:${time}:${body}`).digest('hex')
  const given = String(headers['x-slack-signature'])
  return (
    given.length === expected.length + 3 &&
    timingSafeEqual(Buffer.from(given), Buffer.from(`v0=${expected}`))
  )
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401).end()
    return
  }
  const { type, challenge, event_id, event } = JSON.parse(body)
  if (type === 'url_verification') {
    response.end(challenge)
    return
  }
  // Acknowledged at once; the answer follows by itself.
  response.end()
  if (event?.type !== 'app_mention' || seen.has(event_id)) return
  seen.add(event_id)
  answer(event).catch((error) => process.stderr.write(`${error}\n`))
})
server.listen(Number(PORT ?? 8080), () => {
  process.stdout.write(`Listening at ${JSON.stringify(server.address())}\n`)
})
