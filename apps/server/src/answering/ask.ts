import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { type Wordings, wordingsOf } from '@docent/text/follow-up.ts'
import type { Owned } from '../database/rows/owned.ts'
import { AppError } from '../errors.ts'
import {
  type Chatbot,
  type ChatbotSettings,
  getOwnedChatbot,
  rateLimitRefusal,
  settingsOf,
} from '../features/chatbots/chatbots.store.ts'
import { acceptQuestion } from '../features/messages/messages.store.ts'
import { listLastTurn, listRecentTurns } from '../features/messages/recent-turns.store.ts'
import {
  type RateLimit,
  secondsUntilRoom,
  wasFull,
} from '../features/rate-limits/rate-limits.store.ts'
import { hasRoom } from '../features/sessions/session-size.store.ts'
import type { Session } from '../features/sessions/sessions.store.ts'
import { getUsage, monthOf, secondsUntilNextMonth } from '../features/usage/usage.store.ts'
import type { LanguageModel, ModelChoice, PastTurn } from '../models/model-catalog.ts'
import { findPassages } from '../search/find-passages.ts'
import { listPassages } from '../search/list-passages.ts'
import type { Services } from '../services.ts'
import { PASSAGES_FOR_A_MODEL } from './answer.ts'
import { estimateCost } from './estimate-cost.ts'
import { findAskedBefore } from './find-asked-before.ts'
import type { LiveAnswer } from './live/live-answer.ts'

export interface AskOptions {
  /** The groups whose messages the chatbot's rate limit counts together. Default: the session. */
  buckets?: string[]
  /** Earlier turns. Default: those stored in the session. */
  history?: PastTurn[]
  /** The session is not stored yet. It is created with the question or not at all. */
  isNew?: boolean
  /** Idempotency key: a repeated question with this key is answered once. */
  key?: string | undefined
  /** The session is a visitor's, which has a size limit. */
  isVisit?: boolean
}

/** Stores a question if the chatbot's rate limit and budget allow, and starts its answer. */
export function ask(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
  options: AskOptions = {},
): Promise<LiveAnswer> {
  return services.live.starting(async () => {
    const chatbot = await getOwnedChatbot(services.db, ownerId, session.chatbot_id)
    const model = services.models.choose(chatbot.model)
    // Fail fast when overloaded, before anything else is read.
    const place = new HeldPlace(services.places.take(chatbot.owner_id, model))
    try {
      return await accept(services, { chatbot, model, session, question, place }, options)
    } finally {
      place.leaveUnlessKept()
    }
  })
}

/** A waiting place. The started answer keeps it; without an answer it is released. */
class HeldPlace {
  readonly #giveBack: () => void
  #isKept = false

  constructor(giveBack: () => void) {
    this.#giveBack = giveBack
  }

  keep(): () => void {
    this.#isKept = true
    return this.#giveBack
  }

  leaveUnlessKept(): void {
    if (!this.#isKept) this.#giveBack()
  }
}

interface NewQuestion {
  chatbot: Owned<Chatbot>
  model: ModelChoice
  session: Owned<Session>
  question: string
  place: HeldPlace
}

async function accept(
  services: Services,
  asked: NewQuestion,
  options: AskOptions,
): Promise<LiveAnswer> {
  const { db, live, node } = services
  const { chatbot, model, session, question, place } = asked
  const { key, isNew, isVisit } = options
  const settings = settingsOf(chatbot)
  const [messages, seconds] = settings.rate_limit
  const limit = { buckets: options.buckets ?? [session.id], messages, seconds }
  // The question is counted when it is stored. Check callers that were limited recently first.
  const early = await findRefusal(services, asked, options, wasFull(limit) ? limit : undefined)
  const before = await findAskedBefore(services, session, question, key)
  if (before) return before
  if (early) throw early
  await node?.ensureHeartbeat()
  await claimRoom(services, chatbot, question, options)
  // Without a language model, only the last turn is used.
  const listTurns = model.languageModel ? listRecentTurns : listLastTurn
  const history = options.history ?? (await listTurns(db, session))
  const wordings = once(() => wordingsOf(question, history.at(-1)?.question))
  // The search runs while the question is written to disk.
  const found = findPassagesFor(services, chatbot, model, wordings)
  const reservation = reserve(chatbot, () => estimateCost({ settings, question, history }, model))
  const meta = { model_asked: model.asked, model_used: model.used }
  const acceptance = { key, nodeId: node?.id, isNew, isVisit, meta, reservation }
  const message = await acceptQuestion(db, session, question, limit, acceptance)
  if (!message) {
    // A concurrent duplicate of this question may have taken the last place.
    const twin = await findAskedBefore(services, session, question, key)
    if (twin) return twin
    const late = await findRefusal(services, asked, options, limit)
    throw late ?? (reservation ? allReserved() : limited(settings, 1))
  }
  const isReserved = reservation !== undefined
  const turn = { chatbot, question, model, history, wordings, found, isReserved }
  return live.start(services, message, turn, place.keep())
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function reserve({ id, token_budget }: Chatbot, estimate: () => number) {
  const tokens = token_budget === null ? 0 : estimate()
  return tokens > 0 ? { chatbotId: id, tokens } : undefined
}

function findPassagesFor(
  services: Services,
  chatbot: Owned<Chatbot>,
  { languageModel, fallbacks = [] }: ModelChoice,
  wordings: () => Wordings,
): Promise<FoundPassage[]> {
  const models = [languageModel, ...fallbacks.map((one) => one.languageModel)]
  const found = listForModels(services, chatbot.id, models, wordings).then(
    (all) => all ?? findPassages(services, chatbot, wordings()),
  )
  // The answer handles a failed search. The catch prevents an unhandled rejection if the question is rejected.
  found.catch(() => {})
  return found
}

// An upper bound that includes the text around a passage.
const TOKENS_OF_A_CHARACTER = 2

/** Returns all passages of the chatbot if only language models may answer and all passages fit each of them. */
async function listForModels(
  { db }: Services,
  chatbotId: string,
  models: (LanguageModel | undefined)[],
  wordings: () => Wordings,
): Promise<FoundPassage[] | undefined> {
  if (models.includes(undefined)) return undefined
  const all = await listPassages(db, chatbotId, wordings, PASSAGES_FOR_A_MODEL)
  const length = all?.reduce((sum, { text }) => sum + text.length, 0) ?? 0
  const room = Math.min(...models.map((model) => model!.limits?.contextTokens ?? 0))
  return length * TOKENS_OF_A_CHARACTER < room / 2 ? all : undefined
}

function claimRoom(
  { quotas }: Services,
  { owner_id }: Chatbot,
  question: string,
  { isNew }: AskOptions,
): Promise<void> {
  return quotas.claim(owner_id, { rows: isNew ? 2 : 1, bytes: Buffer.byteLength(question) })
}

/** Finds out why a question cannot be answered now. Without a limit, the rate of questions is not checked. */
async function findRefusal(
  { db }: Services,
  { chatbot, session }: NewQuestion,
  { isVisit }: AskOptions,
  limit: RateLimit | undefined,
): Promise<AppError | undefined> {
  if (isVisit && !(await hasRoom(db, session))) {
    return new AppError('session_full', SESSION_FULL, { limit: 'session_size' })
  }
  const now = Date.now()
  if (chatbot.token_budget !== null) {
    const { prompt_tokens, completion_tokens } = await getUsage(db, chatbot, monthOf(now))
    if (prompt_tokens + completion_tokens >= chatbot.token_budget) {
      return budgetError('token_budget_spent', ALL_SPENT, secondsUntilNextMonth(now))
    }
  }
  const wait = limit ? await secondsUntilRoom(db, limit) : 0
  return wait > 0 ? limited(settingsOf(chatbot), wait) : undefined
}

const SESSION_FULL = 'This conversation has reached its maximum length. Start a new one.'
const ALL_SPENT = 'This chatbot has used its token budget for this month.'
const ALL_RESERVED =
  'Running answers have reserved all tokens left for this month. Try again in a moment.'
// The time in which a running answer may release unused tokens.
const RESERVED_SECONDS = 5

function limited(settings: ChatbotSettings, wait: number): AppError {
  const headers = { 'retry-after': String(wait) }
  const { sentence, params } = rateLimitRefusal(settings)
  return new AppError('rate_limited', sentence, { params, headers })
}

function allReserved(): AppError {
  return budgetError('token_budget_reserved', ALL_RESERVED, RESERVED_SECONDS)
}

function budgetError(
  code: 'token_budget_spent' | 'token_budget_reserved',
  message: string,
  seconds: number,
): AppError {
  const headers = { 'retry-after': String(seconds) }
  return new AppError(code, message, { limit: 'token_budget', headers })
}
