import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  FAILURES,
  FIRST_PAGE,
  failureOf,
  LATER,
  TRIED,
  WHEN,
} from '../console/src/parts/source-failure.ts'
import { LANGUAGES, type Language, loadWords } from '../languages/words.ts'

const INGESTION = join(import.meta.dirname, '../server/src/ingestion')
const WORKER = join(import.meta.dirname, '../server/src/worker.ts')

// Of files and addresses that hardly anybody has.
const IN_ENGLISH_ALONE = [
  /^That is not a URL\.$/,
  /^Only http and https URLs can be fetched\.$/,
  /^The book does not say what is in it\.$/,
  /^It is nested more than \d+ levels deep\.$/,
  /^It declares entities of its own, which is not safe to read\./,
  /^It is an archive of more than \d+ parts\.$/,
]

/** All that the server can say, with something in place of what it puts in. */
function sentencesOfTheServer(): string[] {
  const files = globSync('**/*.ts', { cwd: INGESTION }).map((file) => join(INGESTION, file))
  const code = [...files, WORKER].map((file) => readFileSync(file, 'utf8'))
  const literals = code.join('\n').match(/'[^'\n]+'|"[^"\n]+"|`[^`\n]+`/g) ?? []
  const sentences = literals.map((literal) => literal.slice(1, -1))
  const among = (known: RegExp) => sentences.filter((said) => known.test(said))
  const readings = among(/^(?:took|needed) too /)
  const renderings = among(/^(?:they take too long$|the browser of this server failed)/)
  return sentences.flatMap((said) => {
    const isReading = /^Reading it \$\{reason\}/.test(said)
    const told = isReading ? readings : /, and \$\{reason\}/.test(said) ? renderings : ['7']
    const filled = said.replace(/^\$\{tried\}/, '').replace(/\$\{inWords\(\w+\)\}/, '7 seconds')
    return told.map((what) => filled.replace(/\$\{.+?\}/g, what))
  })
}

test('each sentence that the console knows of a failed source is one that the server says', () => {
  const said = sentencesOfTheServer()
  for (const [known] of FAILURES)
    assert.ok(
      said.some((one) => known.test(one)),
      String(known),
    )
  for (const known of [FIRST_PAGE, TRIED, LATER, WHEN])
    assert.ok(
      said.some((one) => known.test(one) || known.test(` ${one}`)),
      String(known),
    )
})

test('what the server says of a failed source is known to the console, but for what hardly anybody meets', () => {
  const sentences = sentencesOfTheServer().filter((said) => /^[A-Z].* .*\.$/.test(said))
  const known = [...FAILURES.map(([said]) => said), FIRST_PAGE, LATER, WHEN, ...IN_ENGLISH_ALONE]
  const unknown = sentences.filter(
    (one) => !known.some((said) => said.test(one) || said.test(` ${one}`)),
  )
  assert.ok(sentences.length >= FAILURES.length)
  assert.deepEqual(unknown, [])
})

test('each of them is said in every language, whatever stands before and behind it', async () => {
  const known = sentencesOfTheServer().filter((one) => FAILURES.some(([said]) => said.test(one)))
  assert.ok(known.length >= FAILURES.length)
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const speech = { language, words: await loadWords(language) }
    for (const said of known) {
      const alone = failureOf(said, speech)
      if (language !== 'en') assert.notEqual(alone, said)
      assert.doesNotMatch(alone, /[{}]/)
      const whole = `No page could be read. The first one: ${said} It was tried 3 times. Try it again later.`
      const told = failureOf(whole, speech)
      if (language !== 'en') assert.doesNotMatch(told, /No page|was tried|Try it/)
      assert.ok(told.includes(alone) && told.includes('3'), told)
    }
  }
})

test('of a failure, sizes are told in megabytes and waits in the words of the language', async () => {
  const speech = { language: 'de', words: await loadWords('de') } as const
  assert.equal(failureOf('It is larger than 10485760 bytes.', speech), 'Es ist größer als 10 MB.')
  assert.equal(
    failureOf(
      'The site says that it is asked too often (429). It was tried 2 times. The site asks to be tried again in 90 minutes.',
      speech,
    ),
    'Die Website sagt, dass sie zu oft gefragt wird (429). Es wurde 2 Mal versucht. Versuchen Sie es in 90 Minuten noch einmal.',
  )
  const unknown = 'The book does not say what is in it. Try it again later.'
  assert.equal(failureOf(unknown, speech), unknown)
})
