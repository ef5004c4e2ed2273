import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

// node scripts/pack-client.ts [FOLDER]   builds the client and packs it for the registry, into FOLDER or here
// The repository imports the client's TypeScript. The package contains JavaScript and types instead.

const ROOT = join(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'packages/client')
const destination = resolve(process.argv[2] ?? '.')

const staged = mkdtempSync(join(tmpdir(), 'docent-client-'))
try {
  const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
  manifest.exports = { '.': builtAs('index'), './node': builtAs('node') }
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(CLIENT, 'README.md'), join(staged, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(staged, 'LICENSE'))
  cpSync(join(CLIENT, 'src'), join(staged, 'src'), { recursive: true })
  mkdirSync(destination, { recursive: true })
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [
    tsc,
    '-p',
    join(CLIENT, 'tsconfig.build.json'),
    '--outDir',
    join(staged, 'dist'),
  ])
  run('npm', ['pack', '--silent', '--pack-destination', destination])
} finally {
  rmSync(staged, { recursive: true })
}

function builtAs(name: string) {
  return { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` }
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: staged, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
