import { parentPort } from 'node:worker_threads'
import { analyzeText } from '../search/analyze-text.ts'
import { extractDocument, findLinks } from './extract/extract-document.ts'
import type { ThreadReply, ThreadTask } from './read-document.ts'
import { splitText } from './split-text.ts'

// Reading documents is work for the processor, and hostile ones can make it endless: it happens here, where it
// holds nothing else up and can be ended.
const port = parentPort!

port.on('message', async (task: ThreadTask) => {
  let reply: ThreadReply
  try {
    reply = { result: await perform(task) }
  } catch (error) {
    reply = { error: String(error) }
  }
  port.postMessage(reply)
})

async function perform(task: ThreadTask) {
  switch (task.name) {
    case 'extract':
      return extractDocument(task.input)
    case 'find-links':
      return findLinks(task.input, task.pageUrl)
    case 'split':
      return splitText(task.text).map((span) => ({
        ...span,
        words: analyzeText(task.text.slice(span.start, span.end)).join(' '),
      }))
    case 'count-tokens':
      return countTokens(task.text)
  }
}

// Cut at spaces, where tokens end anyhow. Where there are none for long, the tokenizer's time would grow with the
// square of the length.
const PIECES = /.{1,1000}(?:$|(?<=\S)(?= \S))|.{1,1000}/gsu

// A document may speak of a model's control tokens, which is no reason to refuse it.
const PLAIN_TEXT = new Set<string>()

async function countTokens(text: string): Promise<number> {
  // Loaded when first needed: its tables take a hundred megabytes.
  const tokenizer = await import('gpt-tokenizer')
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) {
    tokens += tokenizer.countTokens(piece, { disallowedSpecial: PLAIN_TEXT })
  }
  return tokens
}
