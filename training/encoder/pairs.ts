import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A question, or what else one looks for, and a passage that serves it. */
export interface Pair {
  query: string
  positive: string
  title?: string
  source: string
}

/** Rows of a compressed file, one JSON object a line. With a limit, so many, taken evenly from all of it. */
export function readPairs(file: string, limit = Number.POSITIVE_INFINITY): Pair[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const step = Math.max(1, lines.length / limit)
  const count = Math.min(lines.length, limit)
  return Array.from({ length: count }, (_, i) => JSON.parse(lines[Math.floor(i * step)]!))
}

/** The text that is embedded for a passage. In DSTC9 the title is the entity, which the questions do not name. */
export function passageText({ title, positive, source }: Pair): string {
  return title && source !== 'dstc9-knowledge' ? `${title}\n${positive}` : positive
}

/**
 * A number for each pair. Pairs of one number serve each other's queries, so they must not be taught as wrong answers:
 * utterances of one intent, one question asked of several entities, several questions on one passage.
 */
export function groupPairs(pairs: Pair[]): number[] {
  const intents = new Map<string, string>()
  const intentOf = (text: string): string => {
    let root = text
    for (let next = intents.get(root); next !== undefined; next = intents.get(root)) root = next
    if (root !== text) intents.set(text, root)
    return root
  }
  for (const { query, positive } of pairs.filter(isSameIntent)) {
    const from = intentOf(query)
    const to = intentOf(positive)
    if (from !== to) intents.set(from, to)
  }
  const numbers = new Map<string, number>()
  return pairs.map((pair) => {
    const key = isSameIntent(pair)
      ? `intent ${intentOf(pair.query)}`
      : pair.source === 'dstc9-knowledge'
        ? `query ${pair.query}`
        : `passage ${pair.positive}`
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key)!
  })
}

function isSameIntent({ source }: Pair): boolean {
  return source.endsWith('-same-intent')
}
