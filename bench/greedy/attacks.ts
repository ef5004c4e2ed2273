import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenRunning } from '@docent/server/test/child-processes.ts'
import { type Fill, fillMessages, fillSessions, type World } from './world.ts'

export interface Attack {
  what: string
  /** Writes rows before the server starts. */
  fill?: Fill
  /** Continues until the signal aborts. Runs in its own process. */
  act: (world: World, signal: AbortSignal) => Promise<unknown>
}

const MESSAGES = 240_000
const UPLOAD_BYTES = 49 * 1024 * 1024
const BOUNDARY = 'greedy-form'

/** Attacks of a single caller that slowed down all others. The sizes are those that caused harm. */
export const ATTACKS: Record<string, Attack> = {
  'visitor-reads': {
    what: 'a visitor reads 7,200 messages of 32 kB, four times at once',
    fill: (db, { session }) => fillMessages(db, session, 7_200, 32_000),
    act: (world, signal) =>
      atOnce(4, signal, () =>
        read(world, `/public/session/${world.visit.session}/messages`, signal, world.visit.secret),
      ),
  },
  'message-lists': {
    what: 'an owner reads 7,200 messages of 32 kB, sixteen times at once',
    fill: (db, { session }) => fillMessages(db, session, 7_200, 32_000),
    act: (world, signal) =>
      atOnce(16, signal, () => read(world, `/session/${world.visit.session}/messages`, signal)),
  },
  'session-lists': {
    what: 'an owner lists 60,000 sessions, eight times at once',
    fill: (db, { chatbot }) => fillSessions(db, chatbot, 60_000),
    act: (world, signal) =>
      atOnce(8, signal, () => read(world, `/chatbot/${world.greedy.chatbot}/sessions`, signal)),
  },
  analytics: {
    what: 'an owner asks for the use of 240,000 messages, eight times at once',
    fill: (db, { session }) => fillMessages(db, session, MESSAGES, 300),
    act: (world, signal) =>
      atOnce(8, signal, () => read(world, `/chatbot/${world.greedy.chatbot}/usage/days`, signal)),
  },
  'analytics-hung-up': {
    what: 'callers ask for unanswered questions of 240,000 messages and hang up after 100 ms',
    fill: (db, { session }) => fillMessages(db, session, MESSAGES, 300),
    act: (world, signal) =>
      atOnce(6, signal, async () => {
        const path = `/chatbot/${world.greedy.chatbot}/unanswered`
        await read(world, path, AbortSignal.any([signal, AbortSignal.timeout(100)]))
      }),
  },
  'silent-model': {
    what: 'an owner has 700 questions wait for a model that says nothing',
    act: (world, signal) => atOnce(700, signal, () => ask(world, signal, { model: 'silent' })),
  },
  questions: {
    what: 'an owner asks 600 questions at once of the built-in engine',
    act: (world, signal) => atOnce(600, signal, () => ask(world, signal)),
  },
  searches: {
    what: 'an owner searches 200 times at once',
    act: (world, signal) =>
      atOnce(200, signal, () =>
        send(
          world,
          `/chatbot/${world.greedy.chatbot}/search`,
          { query: `steps ${Math.random()}` },
          signal,
        ),
      ),
  },
  deletion: {
    what: 'an owner deletes a chatbot of 240,000 messages',
    fill: (db, { session }) => fillMessages(db, session, MESSAGES, 300),
    act: async (world, signal) => {
      const url = `${world.address}/api/v1/chatbot/${world.greedy.chatbot}/delete`
      await fetch(url, { method: 'DELETE', headers: bearer(world.greedy.token), signal })
    },
  },
  uploads: {
    what: 'an owner begins sixteen uploads of 49 MB and never ends them',
    act: (world, signal) => atOnce(16, signal, () => neverEndUpload(world, signal)),
  },
  'half-bodies': {
    what: 'somebody without a token leaves 1,500 bodies half sent',
    act: (world, signal) => atOnce(1_500, signal, () => leaveHalfSent(world, signal)),
  },
  sources: {
    what: 'an owner adds 2,000 texts of 20 kB',
    act: (world, signal) => atOnce(8, signal, () => addText(world, signal)),
  },
  'frozen-models': {
    what: 'the process of the models is frozen every five seconds',
    act: async (world, signal) => {
      while (!signal.aborted) {
        for (const pid of childrenRunning(world.pid, 'inference-worker'))
          process.kill(pid, 'SIGSTOP')
        await sleep(5_000, undefined, { signal }).catch(() => {})
      }
    },
  },
}

/** Runs this many callers. Each starts again when it is done or rejected. */
async function atOnce(
  count: number,
  signal: AbortSignal,
  call: () => Promise<unknown>,
): Promise<void> {
  const repeat = async () => {
    while (!signal.aborted) {
      const begun = performance.now()
      await call().catch(() => {})
      // Without this pause, callers rejected at once would only measure this process's loop.
      await sleep(Math.max(0, begun + 100 - performance.now()))
    }
  }
  await Promise.all(Array.from({ length: count }, repeat))
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

async function read(world: World, path: string, signal: AbortSignal, token = world.greedy.token) {
  const response = await fetch(`${world.address}/api/v1${path}`, { headers: bearer(token), signal })
  for await (const _ of response.body!);
}

async function send(
  world: World,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(`${world.address}/api/v1${path}`, {
    method: 'POST',
    headers: { ...bearer(world.greedy.token), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  return response.text()
}

const chatbots = new Map<string, Promise<string>>()

/** Returns the greedy owner's chatbot, or another chatbot with these settings. */
function chatbotWith(world: World, settings: object, signal: AbortSignal): Promise<string> {
  const key = JSON.stringify(settings)
  if (key === '{}') return Promise.resolve(world.greedy.chatbot)
  const made =
    chatbots.get(key) ??
    send(
      world,
      '/chatbot/create',
      { name: key, rate_limit: [10_000, 1], ...settings },
      signal,
    ).then((text) => JSON.parse(text).uuid as string)
  chatbots.set(key, made)
  return made
}

async function ask(world: World, signal: AbortSignal, settings: object = {}): Promise<void> {
  const chatbot = await chatbotWith(world, settings, signal)
  const session = JSON.parse(await send(world, `/chatbot/${chatbot}/session/create`, {}, signal))
  const query = `How many steps has tower ${Math.random()}?`
  await send(world, `/session/${session.uuid}/message/stream`, { query }, signal)
}

/** Sends all but the last bytes of an upload, then nothing. */
function neverEndUpload(world: World, signal: AbortSignal): Promise<void> {
  const begin = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  const head = [
    `POST /api/v1/chatbot/${world.greedy.chatbot}/data-source/upload HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${world.greedy.token}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${UPLOAD_BYTES}`,
  ]
  const body = Buffer.alloc(UPLOAD_BYTES - begin.length - 1_000, 'word ')
  return holdOpen(world, signal, [`${head.join('\r\n')}\r\n\r\n${begin}`, body])
}

function leaveHalfSent(world: World, signal: AbortSignal): Promise<void> {
  const head = [
    'POST /api/v1/auth/sign-in HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]
  return holdOpen(world, signal, [`${head.join('\r\n')}\r\n\r\n{"name": "`])
}

function holdOpen(world: World, signal: AbortSignal, pieces: (string | Buffer)[]): Promise<void> {
  const { hostname, port } = new URL(world.address)
  const socket = connect(Number(port), hostname)
  const end = () => socket.destroy()
  signal.addEventListener('abort', end, { once: true })
  return new Promise((resolve) => {
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece)
    })
    socket
      .on('error', end)
      .on('data', () => {})
      .on('end', end)
    socket.on('close', () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
  })
}

async function addText(world: World, signal: AbortSignal): Promise<void> {
  const form = new FormData()
  const text = Array.from(
    { length: 400 },
    (_, i) => `Sentence ${i} of ${Math.random()} says little.`,
  )
  form.set('file', new Blob([text.join('\n\n')]), `${Math.random()}.txt`)
  await fetch(`${world.address}/api/v1/chatbot/${world.greedy.chatbot}/data-source/upload`, {
    method: 'POST',
    headers: bearer(world.greedy.token),
    body: form,
    signal,
  })
}
