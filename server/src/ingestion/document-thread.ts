import { parentPort } from 'node:worker_threads'
import { analyzeText } from '../search/analyze-text.ts'
import { extractDocument } from './extract/extract-document.ts'
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
    case 'split':
      return splitText(task.text).map((span) => ({
        ...span,
        words: analyzeText(task.text.slice(span.start, span.end)),
      }))
    case 'count-tokens': {
      // Loaded when first needed: its tables take a hundred megabytes.
      const { countTokens } = await import('gpt-tokenizer')
      return countTokens(task.text, { allowedSpecial: 'all' })
    }
  }
}
