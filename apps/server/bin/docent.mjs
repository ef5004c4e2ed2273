#!/usr/bin/env node
// The command line, on the Node that came with the project, whatever Node the machine has.
import { runAndExit } from '../../../scripts/run-on-node.mjs'

runAndExit('apps/server/src/cli.ts', process.argv.slice(2))
