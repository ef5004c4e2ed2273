import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

interface Locked {
  version: string
  license?: string
  link?: boolean
  integrity?: string
}

const installed = Object.entries<Locked>(readJson('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

/** Licenses that allow distribution under Apache-2.0. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // Applies only to the licensed files, which stay unchanged.
  'MPL-2.0',
  // The license of the font.
  'OFL-1.1',
  'PSF-2.0',
  'Unlicense',
  'Zlib',
  // The spelling of sqlite-vec.
  'Apache',
])

function isAllowed(license: string): boolean {
  const words = license.replaceAll(/[()]/g, '').split(/ (OR|AND) /)
  const names = words.filter((_, i) => i % 2 === 0)
  return words.includes('OR')
    ? names.some((name) => ALLOWED.has(name))
    : names.every((name) => ALLOWED.has(name))
}

test('every package that is installed has a licence that is allowed', () => {
  assert.ok(installed.length > 100)
  const others = installed.filter(([, { license = 'none' }]) => !isAllowed(license))
  assert.deepEqual(
    others.map(([path, { license }]) => `${path}: ${license}`),
    [],
  )
  assert.ok(!isAllowed('GPL-3.0') && !isAllowed('MIT AND GPL-3.0') && isAllowed('MIT OR GPL-3.0'))
})

test('every package is held to its bytes', () => {
  const loose = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  assert.deepEqual(
    loose.map(([path]) => path),
    [],
  )
})

const manifests = globSync(
  ['package.json', '{apps,packages}/*/package.json', '{bench,examples,tests}/package.json'],
  {
    cwd: ROOT,
  },
)

test('every dependency is of one exact version, and has its reason in decision 90', () => {
  const reasons = readFileSync(join(ROOT, 'docs/decisions/0090-dependencies.md'), 'utf8')
  for (const file of manifests) {
    const { dependencies = {}, devDependencies = {} } = readJson(file)
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
      if (name.startsWith('@docent/')) continue
      assert.match(version, /^\d+\.\d+\.\d+$/, `${file}: ${name}`)
      assert.ok(reasons.includes(`\`${name}\``), `${file}: ${name} has no reason`)
    }
  }
})

test('no package runs a script when it is installed, but the one that brings the runtime', () => {
  const { allowScripts } = readJson('package.json')
  const allowed = Object.entries(allowScripts).filter(([, isAllowed]) => isAllowed)
  assert.deepEqual(allowed, [['node', true]])
})

test('"npm run sbom" lists what the server runs with', () => {
  const { stdout, status, stderr } = spawnSync('npm', ['run', '-s', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  })
  assert.equal(status, 0, stderr)
  const { bomFormat, components } = JSON.parse(stdout)
  assert.equal(bomFormat, 'CycloneDX')
  const listed = new Set(components.map(({ name }: { name: string }) => name))
  for (const name of Object.keys(readJson('apps/server/package.json').dependencies)) {
    assert.ok(name.startsWith('@docent/') || listed.has(name), name)
  }
})
