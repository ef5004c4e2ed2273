import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, startTestServer } from '@docent/server/test/harness.ts'
import type { DataSet, Question } from './data-set.ts'

export interface Answer {
  text: string
  confidence: number
  /** False if the answer only names the nearest passages. */
  isAnswered: boolean
  citations: number
  verified: number
  /** The cited places. */
  places: { file: string; page: number | null }[]
}

const AT_ONCE = 8

/** The real service, used over HTTP like any client does. */
export class EvaluatedService {
  readonly #owner: Client
  readonly #say: (text: string) => void

  private constructor(owner: Client, say: (text: string) => void) {
    this.#owner = owner
    this.#say = say
  }

  static async start(say: (text: string) => void, environment: NodeJS.ProcessEnv = {}) {
    const ends: (() => unknown)[] = []
    const { owner } = await startTestServer({ after: (end) => ends.unshift(end) }, { environment })
    const stop = async () => {
      for (const end of ends) await end()
    }
    return { service: new EvaluatedService(owner, say), stop }
  }

  /** Creates a chatbot with these files as sources. */
  async takeInFiles(
    name: string,
    files: { name: string; content: string | Buffer<ArrayBuffer> }[],
  ): Promise<string> {
    const chatbot = await this.#createChatbot()
    await this.inTurns(`${name}: documents`, files, async (file) => {
      await this.#owner.upload(chatbot, file.name, file.content)
    })
    await this.#untilReady(name, chatbot)
    return chatbot
  }

  /** Creates a chatbot with a set's documents as sources, and maps its sources to the documents. */
  async takeIn(set: DataSet, asPairs: boolean) {
    const chatbot = await this.#createChatbot()
    const documentOf = new Map<string, string>()
    await this.inTurns(`${set.name}: documents`, set.documents, async ({ id, title, text }) => {
      const source = asPairs
        ? await this.#owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, {
            question: title,
            answer: text,
          })
        : { body: await this.#upload(chatbot, id, title, text) }
      documentOf.set(source.body.uuid, id)
    })
    await this.#untilReady(set.name, chatbot)
    return { chatbot, documentOf }
  }

  /** Returns the ids of the documents found for a question, best first. */
  async find(chatbot: string, documentOf: Map<string, string>, question: Question) {
    const { body } = await this.#owner.json('POST', `/chatbot/${chatbot}/search`, {
      query: question.text,
      limit: 40,
      ...(question.before.length > 0 && { previous_query: question.before.at(-1) }),
    })
    const ids = (body as { data_source_uuid: string }[]).map(
      ({ data_source_uuid }) => documentOf.get(data_source_uuid)!,
    )
    return [...new Set(ids)]
  }

  async ask(chatbot: string, question: string): Promise<Answer> {
    const session = await this.#owner.createSession(chatbot)
    const response = await this.#owner.send('POST', `/session/${session}/message/non-stream`, {
      query: question,
    })
    const { response: text } = (await response.json()) as { response: string }
    const uuid = response.headers.get('x-message-uuid')!
    const { body } = await this.#owner.json('GET', `/message/${uuid}`)
    const check = await this.#owner.json('GET', `/message/${uuid}/citations/verify`)
    const citations = check.body.citations as { verified: boolean }[]
    const { confidence, answered, receipts } = JSON.parse(body.meta_json)
    const cited = Object.entries<{ file_name: string }>(JSON.parse(body.cite_data_json))
    return {
      text,
      confidence,
      isAnswered: answered,
      citations: citations.length,
      verified: citations.filter(({ verified }) => verified).length,
      places: cited.map(([marker, { file_name: file }]) => ({ file, page: receipts[marker].page })),
    }
  }

  async inTurns<T>(name: string, items: T[], work: (item: T) => Promise<void>): Promise<void> {
    let next = 0
    const worker = async () => {
      while (next < items.length) {
        const item = items[next++]!
        await work(item)
        if (next % 20 === 0) this.#say(`${name} ${next} of ${items.length}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }

  #createChatbot(): Promise<string> {
    return this.#owner.createChatbot({ show_citations: true, rate_limit: [10_000, 1] })
  }

  async #upload(chatbot: string, id: string, title: string, text: string) {
    const content = title && !text.startsWith(title) ? `# ${title}\n\n${text}` : text
    const name = `${id.replace(/[^\w-]/g, '_').slice(-80)}.md`
    const response = await this.#owner.upload(chatbot, name, content)
    return (await response.json()) as { uuid: string }
  }

  async #untilReady(name: string, chatbot: string): Promise<void> {
    for (;;) {
      const { body } = await this.#owner.json('GET', `/chatbot/${chatbot}/data-sources`)
      const statuses = (body as { status: string }[]).map(({ status }) => status)
      const failed = statuses.filter((status) => /fail|error/.test(status)).length
      const ready = statuses.filter((status) => status === 'success').length + failed
      this.#say(`${name}: taken in ${ready} of ${statuses.length}`)
      if (ready === statuses.length) {
        if (failed > 0) this.#say(`${name}: ${failed} documents could not be taken in\n`)
        return
      }
      await sleep(500)
    }
  }
}
