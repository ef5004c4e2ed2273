import { install, runAndExit } from './set-up.mjs'

// "npm test" runs everything; "npm test -- server/test/x.test.ts" what is named.
const named = process.argv.slice(2)

install({ withTools: true })
runAndExit([
  '--disable-warning=ExperimentalWarning',
  '--test',
  '--test-timeout=240000',
  ...(named.length > 0 ? named : ['server/**/*.test.ts', 'bench/**/*.test.ts']),
])
