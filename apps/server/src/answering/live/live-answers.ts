import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { runTogether } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { untilAvailable } from '../../database/postgres/postgres-errors.ts'
import { storageFailure } from '../../database/storage-fault.ts'
import { AppError, notFound } from '../../errors.ts'
import {
  appendPart,
  findStoredMessages,
  finishMessage,
  isFinishedAs,
  isStoredMessage,
  type Message,
  type Outcome,
} from '../../features/messages/messages.store.ts'
import { rememberTurn } from '../../features/messages/recent-turns.store.ts'
import { appendOwnPart, INTERRUPTED } from '../../features/messages/running-answers.store.ts'
import { countTokens, type SpentTokens } from '../../features/usage/usage.store.ts'
import type { Node } from '../../jobs/node.ts'
import type { Metrics } from '../../metrics.ts'
import { NO_TOKENS, type TokenUsage } from '../../models/catalog.ts'
import { estimateTokens } from '../../models/count-tokens.ts'
import { type AnsweringServices, answer, type Turn } from '../answer.ts'
import type { AnswerEvent } from '../answer-events.ts'
import { keepVerified } from '../text/verify-receipts.ts'
import { WholeLiteral } from '../text/whole-literal.ts'
import { LiveAnswer } from './live-answer.ts'
import { storeLater } from './store-later.ts'
import { failureMeta } from './stored-answer.ts'

interface LiveServices extends AnsweringServices {
  /** Undefined where this process is the only one. */
  node: Node | undefined
  metrics: Metrics
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}

const LOOK_FOR_DELETION_MS = 1_000

/** All answers that run in this process. An answer continues after its client disconnects. */
export class LiveAnswers {
  readonly #running = new Map<string, LiveAnswer>()
  readonly #starting = new Set<Promise<void>>()
  #isWatching = false
  /** The grace period has ended. Answers that start now are interrupted at once. */
  #isOver = false

  get size(): number {
    return this.#running.size
  }

  /** Registers a question before it is stored, so that a stopping server waits for it. */
  async starting<T>(accept: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#starting.add(promise)
    try {
      return await accept()
    } finally {
      this.#starting.delete(promise)
      resolve()
    }
  }

  find(messageId: string): LiveAnswer | undefined {
    return this.#running.get(messageId)
  }

  /** `onBegin` is called with the first text of the answer, or at the end of an answer without text. */
  start(services: LiveServices, message: Message, turn: Turn, onBegin: () => void): LiveAnswer {
    const live = new LiveAnswer(message.id, onBegin)
    this.#running.set(message.id, live)
    void this.#endDeleted(services)
    if (this.#isOver) live.end('interrupted')
    void give(services, live, turn).finally(() => this.#running.delete(message.id))
    return live
  }

  /** Lets running answers finish. After the grace period it stores them as they are. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#endAll(), graceMs)
    while (this.size > 0 || this.#starting.size > 0) {
      const answers = [...this.#running.values()].map((live) => live.finished())
      await Promise.all([...this.#starting, ...answers])
      // Lets a finished answer leave the map. Without a turn of the event loop, this loop would spin forever.
      await nextTurn()
    }
    clearTimeout(timer)
  }

  /**
   * Ends answers whose message was deleted. A write would notice this, but a model that reasons silently would continue
   * for no reader. One query serves all answers, and queries do not overlap: there may be hundreds of answers, and a
   * database may be slow.
   */
  async #endDeleted({ db }: LiveServices): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    while (this.size > 0) {
      await delay(LOOK_FOR_DELETION_MS, undefined, { ref: false })
      const all = [...this.#running.values()]
      const ids = all.map(({ messageId }) => messageId)
      const stored = await findStoredMessages(db, ids).catch(() => new Set(ids))
      for (const live of all) if (!stored.has(live.messageId)) live.end('cancelled')
    }
    this.#isWatching = false
  }

  #endAll(): void {
    this.#isOver = true
    for (const live of this.#running.values()) live.end('interrupted')
  }
}

/** Stores an answer as it grows and shows the stored text. At the end it stores the whole answer. */
async function give(services: LiveServices, live: LiveAnswer, turn: Turn): Promise<void> {
  const started = performance.now()
  const growth = new StoredGrowth(services, live)
  const literal = new WholeLiteral()
  let firstTextMs: number | undefined
  let begin: Begin | undefined
  let end: Finish | undefined
  let failure: unknown
  try {
    for await (const event of untilAborted(answer(services, turn, live.signal), live.signal)) {
      if (event.type === 'begin') begin = event
      else if (event.type === 'finish') end = event
      else {
        firstTextMs ??= elapsed(started)
        growth.add(literal.add(event.text))
      }
    }
  } catch (error) {
    failure = error
  }
  // A partial answer must not look complete.
  const isWhole = (end && failure === undefined) || live.endedAs === 'cancelled'
  if (isWhole) growth.add(literal.end(growth.text))
  const cited = begin?.cite(growth.text) ?? { citations: {}, receipts: {} }
  const { citations, receipts } = await keepVerified(services.searchDb, cited).catch((error) => {
    services.log.error({ err: error, message: live.messageId }, 'citations could not be verified')
    return { citations: {}, receipts: {} }
  })
  live.tokens = end?.tokens ?? estimateUsage(begin, growth.text)
  const meta = {
    model_asked: turn.model.asked,
    model_used: begin?.model ?? turn.model.used,
    ...(begin?.pair !== undefined && { pair: begin.pair }),
    actual_token_distribution: live.tokens,
    timings_ms: { first_text: firstTextMs ?? null, total: elapsed(started) },
    receipts,
    neutralised: begin?.neutralised ?? [],
    ...(end?.confidence !== undefined && {
      confidence: Math.round(end.confidence * 1000) / 1000,
    }),
    ...(end?.answered !== undefined && { answered: end.answered }),
  }
  const result = judge(live, end, failure)
  if (result.cause)
    services.log.warn({ err: result.cause, message: live.messageId }, 'answer failed')
  const outcome = {
    ...result.outcome,
    response: growth.text.toWellFormed(),
    citations,
    meta: { ...meta, ...(result.failure && failureMeta(result.failure)) },
    ...(live.tokens.total_tokens > 0 && { spent: spentBy(turn, live.tokens) }),
    isReserved: turn.isReserved,
  }
  try {
    const rest = await growth.finish(outcome)
    if (rest !== undefined) {
      if (turn.model.languageModel)
        rememberTurn(services.db, live.messageId, turn.question, outcome)
      live.finish(result.outcome.finishReason, result.failure, rest)
    } else await finishLost(services, live, outcome.spent)
  } catch (error) {
    services.log.error({ err: error, message: live.messageId }, 'answer could not be stored')
    const failure = new AppError('internal', 'The answer could not be stored.')
    live.finish('error', failure)
    // With several nodes, any node ends an abandoned answer.
    const told = {
      finishReason: 'error',
      errorMessage: failure.message,
      meta: { ...meta, ...failureMeta(failure) },
    } as const
    if (!services.node) void storeLater(services, live.messageId, { ...outcome, ...told })
  }
  services.metrics.answerFinished(result.outcome.finishReason, firstTextMs)
}

const STOPPED = new AppError('unavailable', INTERRUPTED, { params: { reason: 'interrupted' } })

type Begin = Extract<AnswerEvent, { type: 'begin' }>
type Finish = Extract<AnswerEvent, { type: 'finish' }>

/** Another node assumed that this node was gone and ended the answer, or the message was deleted. */
async function finishLost(
  { db }: LiveServices,
  live: LiveAnswer,
  spent: SpentTokens | undefined,
): Promise<void> {
  if (await isStoredMessage(db, live.messageId)) live.finish('interrupted', STOPPED)
  else {
    // Deleting a running answer does not make it free.
    if (spent) await runTogether(db, [countTokens(db, spent, Date.now())])
    live.finish('cancelled', notFound('message'))
  }
}

/** Estimates the usage of an interrupted answer. An answer that never began costs nothing. */
function estimateUsage(begin: Begin | undefined, text: string): TokenUsage {
  if (!begin?.promptTokens || text === '') return NO_TOKENS
  const completion = estimateTokens(text)
  return {
    prompt_tokens: begin.promptTokens,
    completion_tokens: completion,
    total_tokens: begin.promptTokens + completion,
  }
}

function spentBy({ chatbot }: Turn, tokens: TokenUsage) {
  const { prompt_tokens: prompt, completion_tokens: completion } = tokens
  return { chatbotId: chatbot.id, prompt, completion }
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 10) / 10
}

interface Judgement {
  outcome: Pick<Outcome, 'finishReason' | 'errorMessage'>
  failure?: AppError
  cause?: unknown
}

function judge(live: LiveAnswer, end: Finish | undefined, thrown: unknown): Judgement {
  if (end && !thrown) return { outcome: { finishReason: end.reason } }
  if (live.endedAs === 'cancelled') return { outcome: { finishReason: 'cancelled' } }
  if (live.endedAs === 'interrupted') {
    return {
      outcome: { finishReason: 'interrupted', errorMessage: INTERRUPTED },
      failure: STOPPED,
    }
  }
  const cause = thrown ?? new Error('The model ended without saying why')
  const failure =
    thrown instanceof AppError
      ? thrown
      : (storageFailure(thrown) ??
        new AppError('model_failed', 'The language model failed.', { cause }))
  return { outcome: { finishReason: 'error', errorMessage: failure.message }, failure, cause }
}

/**
 * Abandons a model that ignores the signal. Racing each event against the signal would leak memory: a promise that
 * never settles keeps the reactions of every event until the answer ends.
 */
async function* untilAborted<T>(events: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let leave: (reason: Error) => void = () => {}
  const onAbort = () => leave(new Error('aborted'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        leave = reject
        events.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
    throw new Error('aborted')
  } finally {
    signal.removeEventListener('abort', onAbort)
    void events.return(undefined).catch(() => {})
  }
}

const LOST = new Error('The answer is lost')

// Readers do not need more than 25 updates a second, and each part is a separate write.
const PAUSE_MS = 40

/**
 * Stores text before followers see it. Text that arrives during a write, or shortly after it, waits for the next write.
 */
class StoredGrowth {
  readonly #services: LiveServices
  readonly #live: LiveAnswer
  #pending = ''
  #underWay = ''
  #parts = 0
  #writing: Promise<void> | undefined
  #isEnding = false
  /** Ends the pause between two parts. */
  #goOn: () => void = () => {}
  #isLost = false

  constructor(services: LiveServices, live: LiveAnswer) {
    this.#services = services
    this.#live = live
  }

  add(text: string): void {
    this.#pending += text
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** All text, stored or not. */
  get text(): string {
    return this.#live.text + this.#underWay + this.#pending
  }

  /**
   * Stores the whole answer and returns the text that followers have not seen. Undefined means that the answer is lost.
   * A short answer takes a single write, because it completes before its first part is written. A part in progress is
   * not awaited, because the whole contains it. With several nodes it is awaited, because a part after the end is
   * rejected.
   */
  async finish(outcome: Outcome): Promise<string | undefined> {
    const { db, node, stopping } = this.#services
    const { messageId } = this.#live
    this.#isEnding = true
    this.#goOn()
    if (node) await this.#writing
    this.#pending = ''
    const write = () => finishMessage(db, messageId, outcome, node?.id)
    const isStored =
      (await untilAvailable(write, stopping)) ||
      // A lost connection may have completed the write.
      (await isFinishedAs(db, messageId, outcome))
    await this.#writing
    return isStored && !this.#isLost ? outcome.response.slice(this.#live.text.length) : undefined
  }

  async #write(): Promise<void> {
    await nextTurn()
    for (let text = this.#takeWhole(); text !== ''; text = this.#takeWhole()) {
      this.#underWay = text
      try {
        await this.#append(text)
      } catch (error) {
        // The message was deleted, or another node ended the answer. Readers cannot get the rest.
        this.#isLost = error === LOST || isForeignKeyViolation(error)
        if (this.#isLost) this.#live.end('cancelled')
        else this.#services.log.error({ err: error }, 'part could not be stored')
        this.#pending = text + this.#pending
        return
      } finally {
        this.#underWay = ''
      }
      this.#live.grow(text)
      await this.#pause()
    }
  }

  async #pause(): Promise<void> {
    if (this.#isEnding) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS)
      this.#goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #append(text: string): Promise<void> {
    const { db, node, stopping } = this.#services
    const { messageId } = this.#live
    if (!node) {
      await appendPart(db, messageId, this.#parts++, text)
      return
    }
    const isStored = await untilAvailable(
      () => appendOwnPart(db, node.id, messageId, this.#parts, text),
      stopping,
    )
    if (!isStored) throw LOST
    this.#parts += 1
  }

  /** Takes whole characters only: half of a surrogate pair waits for the other half. */
  #takeWhole(): string {
    const last = this.#pending.charCodeAt(this.#pending.length - 1)
    const cut = last >= 0xd800 && last <= 0xdbff ? -1 : this.#pending.length
    const text = this.#pending.slice(0, cut)
    this.#pending = this.#pending.slice(text.length)
    return text
  }
}
