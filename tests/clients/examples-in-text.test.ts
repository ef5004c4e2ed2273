import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '@docent/server/test/harness.ts'
import { asModule, listExamples, ROOT } from './examples-in-text.ts'
import { run } from './pack-client.ts'

test('the examples in comments and guides compile', (t) => {
  const folder = temporaryFolder(t)
  const examples = listExamples()
  assert.ok(examples.length > 15, 'they were found')
  const names = examples.map((example, index) => {
    const name = `example-${index}.mts`
    writeFileSync(join(folder, name), `// ${example.place}\n${asModule(example)}`)
    return name
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const settings = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      composite: false,
      noUnusedLocals: false,
      lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      paths: {
        '@docent/client': [join(ROOT, 'packages/client/src/index.ts')],
        '@docent/client/node': [join(ROOT, 'packages/client/src/node.ts')],
      },
    },
    files: names,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const places = examples.map(({ place }, index) => `example-${index}.mts is at ${place}`)
  t.diagnostic(`${examples.length} examples`)
  try {
    run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], folder)
  } catch (error) {
    assert.fail(`${(error as Error).message}\n${places.join('\n')}`)
  }
})
