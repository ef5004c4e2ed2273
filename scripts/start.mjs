import { install, runAndExit } from './set-up.mjs'

install({ withTools: false })
runAndExit('server/src/cli.ts', ['serve', ...process.argv.slice(2)])
