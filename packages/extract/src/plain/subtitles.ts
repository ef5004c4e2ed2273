import { DocumentText, oneLine } from '../document-text.ts'
import type { ExtractedText } from '../web/html.ts'

/** The time range of a cue: `00:01:02,500 --> 00:01:04,000`. Hours are optional. */
const SHOWN = /^\s*(?:(\d+):)?(\d+):(\d+)[.,](\d+)\s*-->\s*(?:(\d+):)?(\d+):(\d+)[.,](\d+)/
const STARTS_LIKE_SUBTITLES = /^\s*(?:WEBVTT\b|\d+[^\S\n]*\r?\n[\d:]+[.,]\d+[^\S\n]*-->)/
const SPEAKER = /^<v(?:\.[^\s<>]*)?\s+([^<>]+)>/
const STYLE = /<[^<>]*>|\{\\[^{}]*\}/g
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
}
const PAUSE_SECONDS = 3
// Paragraphs end after LONG characters at a sentence, or after TOO_LONG at any cue.
const LONG = 500
const TOO_LONG = 1500

export function looksLikeSubtitles(head: string): boolean {
  return STARTS_LIKE_SUBTITLES.test(head)
}

/** Joins the spoken text into paragraphs. Drops times, numbers, styles and repeated lines. */
export function extractSubtitles(subtitles: string): ExtractedText {
  const text = new DocumentText()
  let paragraph = ''
  let lastLine = ''
  let ended = 0
  const endParagraph = () => {
    text.paragraph(paragraph)
    paragraph = ''
  }
  for (const { begin, end, lines } of readCues(subtitles)) {
    if (begin - ended > PAUSE_SECONDS || isComplete(paragraph)) endParagraph()
    for (const line of lines) {
      const speaker = SPEAKER.exec(line)?.[1]
      const said = oneLine(withoutStyle(line))
      if (said === '' || said === lastLine) continue
      if (speaker) endParagraph()
      paragraph += `${paragraph === '' ? '' : ' '}${speaker ? `${speaker}: ` : ''}${said}`
      lastLine = said
    }
    ended = end
  }
  endParagraph()
  return { title: '', text: text.toString() }
}

interface Cue {
  begin: number
  end: number
  lines: string[]
}

function* readCues(subtitles: string): Generator<Cue> {
  for (const block of subtitles.replaceAll('\r\n', '\n').split(/\n[^\S\n]*\n/)) {
    const lines = block.split('\n')
    const at = lines.findIndex((line) => SHOWN.test(line))
    if (at === -1) continue
    const [, ...numbers] = SHOWN.exec(lines[at]!)!
    const [h1, m1, s1, f1, h2, m2, s2, f2] = numbers.map((number) => number ?? '0')
    yield {
      begin: toSeconds(h1!, m1!, s1!, f1!),
      end: toSeconds(h2!, m2!, s2!, f2!),
      lines: lines.slice(at + 1),
    }
  }
}

function toSeconds(hours: string, minutes: string, seconds: string, fraction: string): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`)
}

function isComplete(paragraph: string): boolean {
  return (
    (paragraph.length > LONG && /[.!?…。！？]["”’)]?$/.test(paragraph)) ||
    paragraph.length > TOO_LONG
  )
}

function withoutStyle(line: string): string {
  return line.replace(STYLE, '').replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
}
