import { runAndExit } from './run-on-node.mjs'
import { buildPages, install } from './set-up.mjs'

install({ withTools: false })
buildPages()
runAndExit('apps/server/src/cli.ts', ['serve', ...process.argv.slice(2)])
