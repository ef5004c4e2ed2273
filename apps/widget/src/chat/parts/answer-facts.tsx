import { fill } from '@docent/words/words.ts'
import type { AnswerFacts as Facts } from '../chat-api.ts'
import { useSpeech } from '../words-context.tsx'

export function AnswerFacts({ facts }: { facts: Facts }) {
  const { words, language } = useSpeech()
  const { model, ms, tokens, confidence } = facts
  const format = (value: number, options: Intl.NumberFormatOptions = {}) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 0, ...options }).format(value)
  return (
    <span className="answer-facts">
      {confidence !== null && (
        <span className="confidence" title={words.chat.confidenceHint}>
          <progress value={confidence} max={1} aria-hidden="true" />
          {fill(words.chat.confidence, { percent: format(confidence, { style: 'percent' }) })}
        </span>
      )}
      <bdi>{model}</bdi>
      <span>{format(ms, { style: 'unit', unit: 'millisecond' })}</span>
      {tokens === 1 && <span>{words.chat.oneToken}</span>}
      {tokens > 1 && <span>{fill(words.chat.tokens, { count: format(tokens) })}</span>}
    </span>
  )
}
