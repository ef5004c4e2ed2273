import type { Cited } from '@docent/quote/citations.ts'
import { runAtomically } from '../../database/database.ts'
import { storageFailure } from '../../database/storage-fault.ts'
import { AppError, notFound } from '../../errors.ts'
import { isStoredMessage, type Outcome } from '../../features/messages/messages.store.ts'
import { rememberTurn } from '../../features/messages/recent-turns.store.ts'
import { INTERRUPTED } from '../../features/messages/running-answers.store.ts'
import { countTokens, type SpentTokens } from '../../features/usage/usage.store.ts'
import type { Node } from '../../jobs/node.ts'
import type { Metrics } from '../../metrics.ts'
import { estimateTokens } from '../../models/count-tokens.ts'
import { NO_TOKENS, type TokenUsage } from '../../models/model-catalog.ts'
import { type AnsweringServices, answer, type Turn } from '../answer.ts'
import type { AnswerEvent } from '../answer-events.ts'
import { keepVerified } from '../text/verify-receipts.ts'
import { WholeLiteral } from '../text/whole-literal.ts'
import type { LiveAnswer } from './live-answer.ts'
import { storeLater } from './store-later.ts'
import { failureMeta } from './stored-answer.ts'
import { StoredGrowth } from './stored-growth.ts'

export interface LiveServices extends AnsweringServices {
  /** Undefined where this process is the only one. */
  node: Node | undefined
  metrics: Metrics
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}

/** Stores an answer as it grows and shows the stored text. At the end it stores the whole answer. */
export async function giveAnswer(
  services: LiveServices,
  live: LiveAnswer,
  turn: Turn,
): Promise<void> {
  const started = performance.now()
  const growth = new StoredGrowth(services, live)
  const heard = await listen(services, live, turn, growth)
  live.tokens = heard.end?.tokens ?? estimateUsage(heard.begin, growth.text)
  const result = judge(live, heard)
  if (result.cause)
    services.log.warn({ err: result.cause, message: live.messageId }, 'answer failed')
  const cited = await keepTrueCitations(services, live, heard.begin?.cite(growth.text))
  const meta = {
    ...describe(heard, turn, live.tokens),
    timings_ms: { first_text: heard.firstTextMs ?? null, total: elapsed(started) },
    receipts: cited.receipts,
  }
  const outcome = {
    ...result.outcome,
    response: growth.text.toWellFormed(),
    citations: cited.citations,
    meta: { ...meta, ...(result.failure && failureMeta(result.failure)) },
    ...(live.tokens.total_tokens > 0 && { spent: spentBy(turn, live.tokens) }),
    isReserved: turn.isReserved,
  }
  try {
    const rest = await growth.finish(outcome)
    if (rest === undefined) await finishLost(services, live, outcome.spent)
    else {
      if (turn.model.languageModel)
        rememberTurn(services.db, live.messageId, turn.question, outcome)
      live.finish(result.outcome.finishReason, result.failure, rest)
    }
  } catch (error) {
    services.log.error({ err: error, message: live.messageId }, 'answer could not be stored')
    finishUnstored(services, live, outcome, meta)
  }
  services.metrics.answerFinished(result.outcome.finishReason, heard.firstTextMs)
}

interface Heard {
  begin?: Begin
  end?: Finish
  /** Thrown instead of an end. */
  failure?: unknown
  firstTextMs?: number
}

/** Collects the events of an answer while its text grows. */
async function listen(
  services: LiveServices,
  live: LiveAnswer,
  turn: Turn,
  growth: StoredGrowth,
): Promise<Heard> {
  const started = performance.now()
  const literal = new WholeLiteral()
  const heard: Heard = {}
  try {
    for await (const event of untilAborted(answer(services, turn, live.signal), live.signal)) {
      if (event.type === 'begin') heard.begin = event
      else if (event.type === 'finish') heard.end = event
      else {
        heard.firstTextMs ??= elapsed(started)
        growth.add(literal.add(event.text))
      }
    }
  } catch (error) {
    heard.failure = error
  }
  // A partial answer must not look complete.
  const isWhole = (heard.end && heard.failure === undefined) || live.endedAs === 'cancelled'
  if (isWhole) growth.add(literal.end(growth.text))
  return heard
}

const NO_CITATIONS: Cited = { citations: {}, receipts: {} }

/** Leaves out citations that cannot be found in their source. */
async function keepTrueCitations(
  { searchDb, log }: LiveServices,
  { messageId }: LiveAnswer,
  cited: Cited = NO_CITATIONS,
): Promise<Cited> {
  try {
    return await keepVerified(searchDb, cited)
  } catch (error) {
    log.error({ err: error, message: messageId }, 'citations could not be verified')
    return NO_CITATIONS
  }
}

function describe({ begin, end }: Heard, { model }: Turn, tokens: TokenUsage) {
  return {
    model_asked: model.asked,
    model_used: begin?.model ?? model.used,
    ...(begin?.pair !== undefined && { pair: begin.pair }),
    actual_token_distribution: tokens,
    neutralised: begin?.neutralised ?? [],
    ...(end?.confidence !== undefined && {
      confidence: Math.round(end.confidence * 1000) / 1000,
    }),
    ...(end?.answered !== undefined && { answered: end.answered }),
  }
}

/** Tells followers that the answer is not stored, and stores it as soon as possible. */
function finishUnstored(
  services: LiveServices,
  live: LiveAnswer,
  outcome: Outcome,
  meta: Outcome['meta'],
): void {
  const failure = new AppError('internal', 'The answer could not be stored.')
  live.finish('error', failure)
  // With several nodes, any node ends an abandoned answer.
  if (services.node) return
  void storeLater(services, live.messageId, {
    ...outcome,
    finishReason: 'error',
    errorMessage: failure.message,
    meta: { ...meta, ...failureMeta(failure) },
  })
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
    if (spent) await runAtomically(db, [countTokens(db, spent, Date.now())])
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

function judge(live: LiveAnswer, { end, failure: thrown }: Heard): Judgement {
  if (end && !thrown) return { outcome: { finishReason: end.reason } }
  if (live.endedAs === 'cancelled') return { outcome: { finishReason: 'cancelled' } }
  if (live.endedAs === 'interrupted') {
    return {
      outcome: { finishReason: 'interrupted', errorMessage: INTERRUPTED },
      failure: STOPPED,
    }
  }
  const cause = thrown ?? new Error('The model ended without a finish reason')
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
