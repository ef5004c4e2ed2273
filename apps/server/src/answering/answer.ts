import { SAME_CONFIDENCE } from '@docent/quote/before-judge/asks-the-same.ts'
import { type Quotes, quotePair } from '@docent/quote/before-judge/quote-passages.ts'
import { isSmallTalk, sayNotFound } from '@docent/quote/before-judge/small-talk.ts'
import { citeSources, markPassages } from '@docent/quote/cite-sources.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import type { Config } from '../config.ts'
import { type Chatbot, settingsOf } from '../features/chatbots/chatbots.store.ts'
import type { LanguageModel, ModelChoice, PastTurn } from '../models/model-catalog.ts'
import { BUILT_IN_MODEL, NO_TOKENS } from '../models/model-catalog.ts'
import { ProviderError } from '../models/provider-error.ts'
import { joinNeighbors } from '../search/join-neighbors.ts'
import type { AnswerEvent } from './answer-events.ts'
import { buildPrompt } from './build-prompt.ts'
import { type QuotingServices, quoteAnswer } from './built-in/quote-answer.ts'
import { findOverridingPair } from './find-overriding-pair.ts'
import { FinishedText } from './text/finish-text.ts'

export interface AnsweringServices extends QuotingServices {
  config: Pick<Config, 'reader' | 'allowLinks'>
}

export interface Turn {
  chatbot: Chatbot
  question: string
  model: ModelChoice
  /** Oldest first. */
  history: readonly PastTurn[]
  /** The wordings to search for. The last is the question with all the context that it needs. */
  wordings: () => Wordings
  /** The search already runs. */
  found: Promise<FoundPassage[]>
  /** Whether tokens of the chatbot's budget are reserved for this answer. */
  isReserved: boolean
}

export const PASSAGES_FOR_A_MODEL = 8

/** Takes one question and yields a stream of events. Read top to bottom: this is the product. */
export async function* answer(
  services: AnsweringServices,
  turn: Turn,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const { log, config } = services
  const found = joinNeighbors(await turn.found)
  const pair = turn.model.languageModel && (await findOverridingPair(services, turn, found))
  if (pair) {
    yield* sayPair(turn, pair, config.allowLinks)
    return
  }

  const candidates = [turn.model, ...(turn.model.fallbacks ?? [])]
  for (const [place, { used, languageModel }] of candidates.entries()) {
    let spoken = false
    try {
      const events = languageModel
        ? speak(turn, languageModel, found, config.allowLinks, signal)
        : quote(services, turn, used, found)
      for await (const event of events) {
        spoken ||= event.type === 'text-delta'
        yield event
      }
      return
    } catch (error) {
      const isLast = place === candidates.length - 1
      if (spoken || signal.aborted || isLast) throw error
      log.warn(
        { model: used, reason: (error as Error).message },
        'model failed, trying the next one',
      )
    }
  }
}

/** Answers in the sources' own words. */
async function* quote(
  services: AnsweringServices,
  turn: Turn,
  model: string,
  found: FoundPassage[],
): AsyncGenerator<AnswerEvent> {
  const { chatbot, question, wordings } = turn
  const quotes = await quoteAnswer(services, {
    chatbot,
    question,
    wordings: wordings(),
    found,
    showCitations: settingsOf(chatbot).show_citations,
  })
  yield* say(turn, model, quotes, services.config.allowLinks)
}

/** Answers with a pair, word for word, instead of a language model. */
function* sayPair(turn: Turn, pair: FoundPassage, allowLinks: readonly string[]) {
  const { show_citations: showCitations } = settingsOf(turn.chatbot)
  const quotes = quotePair(pair, { showCitations })
  const answer = { ...quotes, confidence: SAME_CONFIDENCE, answered: true }
  yield* say(turn, BUILT_IN_MODEL, answer, allowLinks, pair)
}

/** Yields quoted text as one piece. */
function* say(
  { chatbot }: Turn,
  model: string,
  { text, passages, confidence, answered }: Quotes,
  allowLinks: readonly string[],
  pair?: FoundPassage,
): Generator<AnswerEvent> {
  const settings = settingsOf(chatbot)
  const finished = new FinishedText({ ...settings, allowLinks, passages, quoted: true })
  const cite = (text: string) => citeSources(text, settings.show_citations ? passages : [])
  const { neutralised } = finished
  const by = pair && { pair: pair.source_id }
  yield { type: 'begin', model, promptTokens: 0, cite, neutralised, ...by }
  yield { type: 'text-delta', text: finished.add(text) + finished.end() }
  yield { type: 'finish', reason: 'stop', tokens: NO_TOKENS, confidence, answered }
}

/** Streams a language model's answer. */
async function* speak(
  { chatbot, question, history }: Turn,
  languageModel: LanguageModel,
  found: FoundPassage[],
  allowLinks: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const settings = settingsOf(chatbot)
  const candidates = markPassages(found.slice(0, PASSAGES_FOR_A_MODEL))
  const parts = { question, history, passages: candidates }
  const { request, promptTokens, passages } = buildPrompt(settings, parts, languageModel.limits)
  const finished = new FinishedText({ ...settings, allowLinks, passages })
  const cite = (text: string) => citeSources(text, settings.show_citations ? passages : [])
  const { name: model } = languageModel
  yield { type: 'begin', model, promptTokens, cite, neutralised: finished.neutralised }

  let isSaid = false
  let unsaid = ''
  for await (const event of languageModel.stream(request, signal)) {
    const text = event.type === 'text-delta' ? finished.add(event.text) : finished.end()
    isSaid ||= saysSomething(text)
    if (isSaid && unsaid + text !== '') yield { type: 'text-delta', text: unsaid + text }
    unsaid = isSaid ? '' : unsaid + text
    if (event.type !== 'finish') continue
    if (!isSaid && finished.isRefusal) {
      // The mark is for the server. A reader who would see no text gets its meaning instead.
      yield { type: 'text-delta', text: sayNotFound(question, [], found[0]?.text) }
    } else if (!isSaid && event.reason === 'stop') {
      throw new ProviderError('empty', { provider: languageModel.provider, model })
    }
    yield { ...event, answered: hasAnswered(question, finished, passages) }
  }
}

/** Undefined without passages, because a model may know the answer from the owner's instruction. */
function hasAnswered(
  question: string,
  { isRefusal, isGrounded }: FinishedText,
  passages: readonly FoundPassage[],
): boolean | undefined {
  // A greeting needs no source, so it never counts as unanswered.
  if (isSmallTalk(question)) return true
  if (isRefusal) return false
  return passages.length > 0 ? isGrounded : undefined
}

/** Markers without a statement and invisible characters are not an answer. */
function saysSomething(text: string): boolean {
  return text.replaceAll(/\[\d+\.\d+\]/g, '').trim() !== ''
}
