import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { callJson, readText } from '../support/docent-process.ts'
import { nextQuestion } from '../support/questions.ts'
import { shareOf } from '../support/rows.ts'
import type { World } from './world.ts'

const READ_EVERY_MS = 50
const ASK_EVERY_MS = 250
/** Callers give up after this wait. */
const PATIENCE_MS = 15_000
const DOCUMENT = `# The lighthouse

The lighthouse is open from Tuesday to Sunday, from 10 to 17.

The tower has 211 steps and no lift.

Tickets cost 7 euros, and 4 euros for children under twelve.`

export interface Times {
  read: number[]
  answer: number[]
  failures: string[]
}

/** The owner who must not notice the attack. Reads and asks at a steady pace, and records each duration. */
export class QuietCaller {
  readonly #world: World
  readonly #agent = new Agent({ keepAlive: true })
  #session = ''

  constructor(world: World) {
    this.#world = world
  }

  /** Adds a document and asks until the models are loaded. */
  async settle(): Promise<void> {
    const { chatbot } = this.#world.quiet
    const form = new FormData()
    form.set('file', new Blob([DOCUMENT]), 'lighthouse.md')
    const upload = await fetch(
      `${this.#world.address}/api/v1/chatbot/${chatbot}/data-source/upload`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#world.quiet.token}` },
        body: form,
      },
    )
    const { uuid } = (await upload.json()) as { uuid: string }
    while (!(await this.#get(`/data-source/${uuid}`)).includes('"success"')) await sleep(100)
    const session = await this.#post(`/chatbot/${chatbot}/session/create`, {})
    this.#session = JSON.parse(session).uuid
    for (let i = 0; i < 20; i++) await this.#ask()
  }

  async measure(lastingMs: number): Promise<Times> {
    const times: Times = { read: [], answer: [], failures: [] }
    const until = performance.now() + lastingMs
    const repeat = async (
      kind: 'read' | 'answer',
      everyMs: number,
      call: () => Promise<unknown>,
    ) => {
      while (performance.now() < until) {
        const begun = performance.now()
        try {
          await call()
          times[kind].push(performance.now() - begun)
        } catch (error) {
          times.failures.push(`${kind}: ${(error as Error).message}`)
        }
        await sleep(Math.max(0, begun + everyMs - performance.now()))
      }
    }
    await Promise.all([
      repeat('read', READ_EVERY_MS, () => this.#get(`/chatbot/${this.#world.quiet.chatbot}`)),
      repeat('answer', ASK_EVERY_MS, () => this.#ask()),
    ])
    return times
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(): Promise<string> {
    const query = `${nextQuestion()} How many steps has the tower?`
    return this.#post(`/session/${this.#session}/message/stream`, { query })
  }

  #get(path: string): Promise<string> {
    return this.#call('GET', path)
  }

  #post(path: string, body: object): Promise<string> {
    return this.#call('POST', path, body)
  }

  async #call(method: string, path: string, body?: object): Promise<string> {
    const { address, quiet } = this.#world
    const headers = { authorization: `Bearer ${quiet.token}`, 'content-type': 'application/json' }
    const url = `${address}/api/v1${path}`
    const signal = AbortSignal.timeout(PATIENCE_MS)
    return readText(await callJson(method, url, { headers, agent: this.#agent, body, signal }))
  }
}

export function p99(times: number[]): number {
  return times.length === 0 ? Number.POSITIVE_INFINITY : shareOf(times, 0.99)
}
