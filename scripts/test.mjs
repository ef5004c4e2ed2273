import { spawnSync } from 'node:child_process'
import { buildPages, install, root, runtime } from './set-up.mjs'

// "npm test" runs everything; "npm test -- server/test/x.test.ts" what is named.
const named = process.argv.slice(2)
const files =
  named.length > 0
    ? named
    : [
        'server/test/**/*.test.ts',
        'widget/test/**/*.test.ts',
        'client/test/**/*.test.ts',
        'e2e/**/*.test.ts',
        'bench/**/*.test.ts',
      ]

install({ withTools: true })
buildPages()
const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-timeout=240000']
const { status } = spawnSync(runtime, [...flags, ...files], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
