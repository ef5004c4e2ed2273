import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { startServer } from '../src/main.ts'
import type { LanguageModel } from '../src/models/model-catalog.ts'

// The real server with a slow model, to be killed in the middle of its answers.

const WORDS = 25
// A question that names a number of words gets that many, more slowly.
const ASKED = /^(\d+) words/

const slow: LanguageModel = {
  name: 'slow',
  provider: 'test',
  async *stream({ prompt }, signal) {
    const question = prompt.slice(prompt.lastIndexOf('Question: ') + 'Question: '.length)
    const asked = ASKED.exec(question)?.[1]
    const words = asked === undefined ? WORDS : Number(asked)
    for (let i = 0; i < words && !signal.aborted; i++) {
      yield { type: 'text-delta', text: `${i === 0 ? '' : ' '}${question}–${i}` }
      await sleep(asked === undefined ? 1 + (i % 7) : 50, undefined, { signal })
    }
    const tokens = { prompt_tokens: 1, completion_tokens: words, total_tokens: words + 1 }
    yield { type: 'finish', reason: 'stop', tokens }
  },
}

// biome-ignore lint/style/noProcessEnv: a process of its own
const config = readConfig(process.env)
const server = await startServer({ ...config, defaultModel: slow.name }, [slow])
// Before the server reports that it is ready: a parent may stop it right after that.
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
if (server.firstToken) process.stdout.write(`Token: ${server.firstToken}\n`)
process.stdout.write(`Docent is ready at ${server.address}\n`)
