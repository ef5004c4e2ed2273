import { buildPages, install, runAndExit } from './set-up.mjs'

install({ withTools: true })
// Vite serves the other pages from their sources.
buildPages(['guide'])
runAndExit('scripts/dev-server.ts', [])
