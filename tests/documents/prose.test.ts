import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, suite, test } from 'node:test'
import { temporaryFolder } from '@docent/server/test/harness.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/prose/check-prose.ts')
const EASY = 'Open the page. Press the button. Your file is there.'
const LONG = `It ${'goes on and '.repeat(10)}ends.`

const CASES: [name: string, text: string, ...findings: RegExp[]][] = [
  ['docs/a.md', EASY],
  ['docs/b.md', LONG, /b\.md:1: a sentence has 32 words/],
  [
    'docs/c.md',
    `${EASY}\n\n- Whoever asks\n  waits. Nor\n  is it read.`,
    /c\.md:3: .*"Whoever"/,
    /:4: .*"Nor"/,
  ],
  ['docs/d.md', `What is a source? What is asked comes first.`, /:1: .*"What is"/],
  [
    'docs/e.md',
    'The search finds chunks. A chunk of the stream has an id.',
    /"chunks": .* "passage"/,
  ],
  [
    'docs/f.md',
    `# What is ${LONG}\n\n\`\`\`bash\nWhoever\n\`\`\`\n\n| Nor | ${LONG} |\n\nRun \`a b c\`.`,
  ],
  [
    'g.ts',
    `// So many of them.\nexport const a = 'Whoever' // ${LONG}\n`,
    /:1: .*"So many"/,
    /:2: .*32 words/,
  ],
  ['docs/how-to/h.md', EASY],
  [
    'docs/tutorials/i.md',
    'Considerable organizational responsibility necessitates documentation.',
    /reading ease/,
  ],
  [
    'docs/how-to/j.md',
    'The file is read. The page was quickly made. Go on.',
    /67 % of the sentences are passive/,
  ],
  ['docs/how-to/k.md', '# A very long heading of a page\n\nGo on.', /only 22 % of the words/],
  ['docs/l.md', 'The file is read. The page was quickly made. Go on.'],
]

suite('the check of prose', () => {
  const folder = temporaryFolder({ after })
  const files = CASES.map(([name, text]) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  })
  const check = (files: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...files], { encoding: 'utf8' })
  const { stdout, stderr, status } = check(files)
  const findings = stdout.split('\n').filter(Boolean)

  for (const [i, [name, , ...expected]] of CASES.entries()) {
    test(`finds ${expected.length} problems in ${name}`, () => {
      const found = findings.filter((finding) => finding.startsWith(files[i]!))
      assert.equal(found.length, expected.length, stdout + stderr)
      expected.forEach((pattern, i) => void assert.match(found[i]!, pattern))
    })
  }

  test('fails if there are problems', () => {
    assert.equal(status, 1)
    assert.equal(check([files[0]!]).status, 0)
  })
})
