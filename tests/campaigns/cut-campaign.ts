import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Docent } from '@docent/client'
import type { LanguageModel } from '@docent/server/src/models/model-catalog.ts'
import { startTestServer } from '@docent/server/test/harness.ts'
import { seeded } from './kill-campaign.ts'
import { startRandomCuts } from './random-cuts.ts'

// Asks many questions over connections that break at random places. Compares every answer, character by character, with
// the model's text and the stored text.
//   npm run campaign:client -- [answers] [seed]

export interface CampaignResult {
  answers: number
  characters: number
  connections: number
  cutBeforeTheAnswer: number
  cutInTheAnswer: number
  silenced: number
  reconnected: number
  seconds: number
}

const AT_ONCE = 60
const SESSIONS = 20
const WORDS = [
  'museum',
  'Öffnungszeit',
  '四つの窓',
  'окно',
  '😀',
  'naïve',
  'ticket,',
  'lamp.',
  '\n\n',
  '17',
]

type Ends = { after: (end: () => unknown) => void }

export async function runCampaign(t: Ends, answers: number, seed: number): Promise<CampaignResult> {
  const started = Date.now()
  const server = await startTestServer(t, { models: [talkativeModel(seed)] })
  const cuts = await startRandomCuts(t, server.address, seeded(seed))
  const token = server.owner.token
  const direct = new Docent({ baseUrl: server.address, token })
  const broken = new Docent({ baseUrl: cuts.address, token })
  const chatbot = await direct.chatbots.create({ name: 'Talkative', rate_limit: [10_000, 60] })
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => direct.sessions.create(chatbot)),
  )
  let characters = 0
  let reconnected = 0
  let next = 0
  const read = new Map<string, string>()
  const ask = async () => {
    while (next < answers) {
      const number = next++
      let text = ''
      let uuid = ''
      const events = broken.sessions.ask(
        sessions[number % SESSIONS]!,
        `question number ${number}`,
        {
          timeout: 2_000,
          idleTimeout: 2_000,
          reconnects: 100,
          onReconnect: () => {
            reconnected += 1
          },
        },
      )
      let ends = 0
      for await (const event of events) {
        if (event.type === 'message-start') {
          assert.equal(uuid, '', 'an answer begins once')
          uuid = event.uuid
        } else if (event.type === 'text-delta') {
          assert.equal(event.offset, Buffer.byteLength(text), 'each piece says where it belongs')
          text += event.text
        } else {
          ends += 1
        }
      }
      assert.equal(ends, 1, 'an answer ends once')
      assert.equal(text, answerOf(number, seed), `answer ${number} is what the model said`)
      read.set(uuid, text)
      characters += text.length
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))

  const stored = (await Promise.all(sessions.map((each) => direct.sessions.messages(each)))).flat()
  assert.equal(stored.length, answers, 'every question was stored once')
  for (const { uuid, response } of stored) assert.equal(read.get(uuid), response)
  return {
    answers: stored.length,
    characters,
    connections: cuts.connections,
    cutBeforeTheAnswer: cuts.cut.beforeTheAnswer,
    cutInTheAnswer: cuts.cut.inTheAnswer,
    silenced: cuts.silenced,
    reconnected,
    seconds: Math.round((Date.now() - started) / 1000),
  }
}

/** Answers at length, in chunks of any size. The same question always gets the same answer. */
export function talkativeModel(seed: number): LanguageModel {
  return {
    name: 'talkative',
    provider: 'test',
    async *stream({ prompt }) {
      const number = Number(/question number (\d+)/.exec(prompt)![1])
      const random = seeded(seed + number)
      for (const text of piecesOf(number, seed)) {
        if (random() < 0.3) await sleep(random() * 10)
        yield { type: 'text-delta', text }
      }
      const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      yield { type: 'finish', reason: 'stop', tokens }
    },
  }
}

export function answerOf(number: number, seed: number): string {
  return piecesOf(number, seed).join('')
}

function piecesOf(number: number, seed: number): string[] {
  const random = seeded(seed * 7 + number)
  const words = Array.from({ length: 5 + Math.floor(random() * 60) }, () => {
    return WORDS[Math.floor(random() * WORDS.length)]!
  })
  return [
    `Answer ${number}:`,
    ...words.map((word) => (random() < 0.5 ? ` ${word}` : word)),
    ' End.',
  ]
}

if (import.meta.main) {
  const [answers = '1000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
  const ends: (() => unknown)[] = []
  process.stdout.write(`${answers} answers, seed ${seed}\n`)
  try {
    const result = await runCampaign(
      { after: (end) => ends.push(end) },
      Number(answers),
      Number(seed),
    )
    process.stdout.write(`None short, none doubled: ${JSON.stringify(result, null, 2)}\n`)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
