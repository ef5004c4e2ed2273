// A bot that answers mentions in a thread and updates its reply while the answer streams.
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
  /** Set if the message is in a thread. */
  thread_ts?: string
}

/** One session per thread. */
const sessions = new Map<string, Promise<{ uuid: string }>>()
/** Ids of handled events. Slack sends an event again if it is not acknowledged in time. */
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
      // Slack allows about one update a second.
      if (Date.now() - shownAt < 1_000) continue
      shownAt = Date.now()
      await say('chat.update', { channel, ts: reply.ts, text: `${said} …` })
    }
  } catch (error) {
    said += `\n_${(error as Error).message}_`
  }
  await say('chat.update', { channel, ts: reply.ts, text: said })
}

/** Checks Slack's signature and rejects requests older than five minutes. */
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
  // Acknowledge at once. The answer follows later.
  response.end()
  if (event?.type !== 'app_mention' || seen.has(event_id)) return
  seen.add(event_id)
  answer(event).catch((error) => process.stderr.write(`${error}\n`))
})
server.listen(Number(PORT ?? 8080), () => {
  process.stdout.write(`Listening at ${JSON.stringify(server.address())}\n`)
})
