import { ExportedMessage } from '@docent/contract/conversations.ts'
import { timestamp } from '../../http/timestamp.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { ExportableMessage } from './exported-messages.store.ts'

interface Format {
  contentType: string
  /** Written once, before the first message. */
  head: string
  write(message: ExportableMessage): string
}

/**
 * These patterns find every place where a spreadsheet could see a formula. Visitors write what owners open, and a
 * formula can send data elsewhere. In locales with decimal commas, spreadsheets split cells at semicolons, even between
 * quotes. Further on in a text, a dash before a space is a list item. Programs differ in what they skip before a sign:
 * blanks, control characters and zero-width characters. Some read look-alikes of other scripts as the signs themselves.
 */
const SIGNS = '=＝﹦⁼₌⩵⩶+＋﹢⁺₊﬩@＠﹫'
const DASHES = '\\-－﹣−⁻₋'
const SKIPPED = String.raw`\p{C}\p{Z}\p{Default_Ignorable_Code_Point}`
const FORMULA = new RegExp(
  [
    String.raw`^(?=[${SKIPPED}]*[${SIGNS}${DASHES}]|[\t\r\n])`,
    // Skips no line breaks. Otherwise each of many empty lines would scan all lines that follow.
    String.raw`(?<=[;\t\r\n])(?=(?:(?![\t\r\n])[${SKIPPED}])*(?:[${SIGNS}]|[${DASHES}](?! )))`,
  ].join('|'),
  'gu',
)

const writeExported = jsonWriter(ExportedMessage)

export const CONVERSATION_FORMATS: Record<'csv' | 'jsonl', Format> = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    // Without the byte order mark, spreadsheets assume the system's encoding from before Unicode.
    head: `\ufeff${toRow(Object.keys(ExportedMessage.shape))}`,
    write: (message) => {
      const { sources, ...facts } = toExported(message)
      return toRow([...Object.values(facts), sources.map(nameOf).join('; ')])
    },
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    write: (message) => `${writeExported(toExported(message))}\n`,
  },
}

function toExported(message: ExportableMessage): ExportedMessage {
  const meta = JSON.parse(message.meta)
  const feedback = message.feedback === null ? {} : JSON.parse(message.feedback)
  const tokens = meta.actual_token_distribution ?? {}
  return {
    session_uuid: message.session_id,
    uuid: message.id,
    created_at: timestamp(message.created_at),
    channel: message.channel ?? 'api',
    question: message.query,
    answer: message.response,
    finish_reason: message.finish_reason,
    error_message: message.error_message,
    answered: meta.answered ?? null,
    confidence: meta.confidence ?? null,
    rating: feedback.rating ?? null,
    comment: feedback.comment ?? null,
    model: meta.model_used ?? meta.model_asked ?? null,
    prompt_tokens: tokens.prompt_tokens ?? null,
    completion_tokens: tokens.completion_tokens ?? null,
    sources: listCited(JSON.parse(message.citations), meta.receipts ?? {}),
  }
}

/** Lists each source once, however many of its passages are cited. */
function listCited(
  citations: Record<string, { title: string }>,
  receipts: Record<string, { url: string | null } | undefined>,
): ExportedMessage['sources'] {
  const cited = new Map<string, ExportedMessage['sources'][number]>()
  for (const [marker, { title }] of Object.entries(citations)) {
    const source = { title, url: receipts[marker]?.url ?? null }
    cited.set(JSON.stringify(source), source)
  }
  return [...cited.values()]
}

function nameOf({ title, url }: ExportedMessage['sources'][number]): string {
  return url === null ? title : `${title} (${url})`
}

/** Follows RFC 4180. */
function toRow(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = value.replaceAll(FORMULA, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
