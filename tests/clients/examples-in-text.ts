import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Example {
  /** For example `packages/client/src/sessions.ts:71`. */
  place: string
  code: string
}

/** Lists the TypeScript blocks in the client's comments and in the documents about it. */
export function listExamples(): Example[] {
  const files = [
    'packages/client/README.md',
    ...globSync('packages/client/src/*.ts', { cwd: ROOT }),
  ]
  return [...files.flatMap(examplesOf), inOne('docs/reference/client.md')]
}

/** Joins the blocks of a document, because later blocks use names of earlier ones. */
function inOne(file: string): Example {
  const code = examplesOf(file).map((example) => example.code)
  return { place: file, code: code.join('\n') }
}

function examplesOf(file: string): Example[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/^([ \t]*(?:\* )?)```ts\n(.*?)^[ \t]*(?:\* )?```$/gms)].map((match) => ({
    place: `${file}:${text.slice(0, match.index).split('\n').length}`,
    code: match[2]!.replaceAll(/^[ \t]*\* ?/gm, file.endsWith('.md') ? '$&' : ''),
  }))
}

// Names that examples may use without declaring them.
const GIVEN: Record<string, string> = {
  client: 'Docent',
  chatbot: 'Chatbot',
  session: 'Session',
  source: 'Source',
  message: 'Message',
}

/** Wraps an example in a module. */
export function asModule({ code }: Example): string {
  const given = Object.entries(GIVEN).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`(const|let) (\\[[^\\]]*)?${name}\\b`).test(code),
  )
  const declared = given.map(([name, type]) => `declare const ${name}: given.${type}\n`)
  return `import type * as given from '@docent/client'\n${declared.join('')}${code}\nexport type Used = given.Ref\n`
}
