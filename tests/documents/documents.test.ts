import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { MAX_CHARACTERS } from '@docent/extract/text-limit.ts'
import { renderMarkdown } from '@docent/guide/render/render-markdown.ts'
import { PASSAGES_FOR_A_MODEL } from '@docent/server/src/answering/answer.ts'
import { MOST_HISTORY_TOKENS } from '@docent/server/src/answering/build-prompt.ts'
import { readConfig } from '@docent/server/src/config.ts'
import { MOST_IDLE_CONNECTIONS } from '@docent/server/src/http/guards/idle-connections.ts'
import { BODY_LIMITS } from '@docent/server/src/http/guards/unfinished-bodies.ts'
import { UPLOAD_LIMITS } from '@docent/server/src/sharing/upload-places.ts'
import { startTestServer } from '@docent/server/test/harness.ts'
import { blocksOf, DOCUMENTS, ROOT } from './blocks.ts'

const AS_WRITTEN = { link: (href: string) => href, imageSize: () => undefined }
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

suite('the documents', () => {
  test('the JSON in them is JSON, the scripts are scripts, and no other kind of block is left unlooked at', () => {
    for (const file of DOCUMENTS) {
      for (const { kind, content } of blocksOf(file)) {
        // tests/clients runs TypeScript and Python, and tests/deploy covers an operator's commands and settings.
        if (['bash', 'text', 'ts', 'python', 'sh', 'ini'].includes(kind)) continue
        if (kind === 'json') JSON.parse(content)
        else if (kind === 'js') new Script(`async () => {${content.replace(/^import .*$/gm, '')}}`)
        else if (kind === 'html')
          assert.match(content, /^<script src="\S+\/widget\.js" data-chatbot="[^"]+"/)
        else assert.fail(`${file} has a block of ${kind}`)
      }
    }
  })

  test('the JavaScript for OpenAI’s library works as it stands', async (t) => {
    const { address, owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ name: 'Museum guide' })
    await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
    const [example] = blocksOf('docs/how-to/use-openai-clients.md').filter(
      ({ kind }) => kind === 'js',
    )
    const program = example!.content
      .replaceAll('http://127.0.0.1:3000', address)
      .replaceAll('docent_…', owner.token)
    const folder = join(ROOT, 'apps/server/test')
    const args = ['--input-type=module', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env: {} })
    assert.equal(stdout, 'Daily from 9 to 17.\n')
  })

  test('every link between them leads to a file, and to a heading in it', () => {
    // In scripts/ are templates, whose links start from the page that they become.
    const exclude = ['**/node_modules/**', 'apps/*/dist/**', 'scripts/**']
    const files = globSync('**/*.md', { cwd: ROOT, exclude })
    assert.ok(files.length > DOCUMENTS.length)
    const pages = new Map(files.map((file) => [file, renderMarkdown(read(file), AS_WRITTEN)]))
    const broken = files.flatMap((file) => {
      const targets = [
        ...pages.get(file)!.html.matchAll(/ (?:href|src)="(?!https?:|mailto:)([^"]*)"/g),
      ]
      return targets.flatMap(([, target]) => {
        const [path = '', id] = decodeURI(target!).split('#')
        const other = path === '' ? file : join(dirname(file), path)
        if (!existsSync(join(ROOT, other))) return [`${file}: ${target}`]
        const page = pages.get(other)
        const isThere = !id || !page || page.headings.some((heading) => heading.id === id)
        return isThere ? [] : [`${file}: ${target} is no heading`]
      })
    })
    assert.deepEqual(broken, [])
  })

  test('the reference of limits has the values of the code', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/limits.md'), 'utf8')
    const { leastBytes, withinMs, perSender, inAll } = BODY_LIMITS
    const { maxUploadBytes, maxWaitingAnswers, modelTimeouts } = readConfig({})
    for (const row of [
      `| A body that stalls | ${leastBytes / 1024} KB in ${withinMs / 1000} seconds |`,
      `| Unfinished bodies | ${perSender} for each owner, ${inAll} for all owners;`,
      `| Connections without a request | ${MOST_IDLE_CONNECTIONS} |`,
      `| Waiting answers | ${maxWaitingAnswers} for language models, ${maxWaitingAnswers} for the built-in engine |`,
      `| First text of a language model | ${modelTimeouts.firstTextMs / 1000} seconds |`,
      `| Pause within an answer | ${modelTimeouts.stallMs / 1000} seconds |`,
      `| Passages for a language model | ${PASSAGES_FOR_A_MODEL} |`,
      `| Conversation for a language model | ${MOST_HISTORY_TOKENS.toLocaleString('en')} tokens |`,
      `| File | ${maxUploadBytes / 1024 ** 2} MB, at most 500 |`,
      `| Uploads of a token | ${UPLOAD_LIMITS.perToken} at once | | waits ${UPLOAD_LIMITS.waitMs / 1000} seconds`,
      `| Uploads in total | ${UPLOAD_LIMITS.inAll} at once;`,
      `| Text | ${MAX_CHARACTERS / 1_000_000} million characters |`,
    ]) {
      assert.ok(page.includes(row), row)
    }
  })
})
