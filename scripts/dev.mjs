import { runAndExit } from './run-on-node.mjs'
import { buildPages, install } from './set-up.mjs'

install({ withTools: true })
// Vite serves the other pages from source.
buildPages(['guide'])
runAndExit('scripts/dev-server.ts', [])
