import { buildPages, install, runAndExit } from './set-up.mjs'

install({ withTools: false })
buildPages()
runAndExit('apps/server/src/cli.ts', ['serve', ...process.argv.slice(2)])
