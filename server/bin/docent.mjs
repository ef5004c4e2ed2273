#!/usr/bin/env node
// Runs the command line on the Node that came with the project, whatever Node is installed on the machine.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const ours = join(root, 'node_modules/node/bin/node')
const runtime = existsSync(ours) ? ours : process.execPath
const flags = ['--disable-warning=ExperimentalWarning']

const child = spawn(
  runtime,
  [...flags, join(root, 'server/src/cli.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
