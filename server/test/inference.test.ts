import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { BUILT_IN_DIMENSIONS } from '../src/models/embedding/built-in.ts'
import { temporaryFolder } from './harness.ts'

test('the library in which models run keeps no record of it for its makers', async (t) => {
  const home = temporaryFolder(t)
  const script = join(import.meta.dirname, 'embed-once.ts')
  const args = ['--disable-warning=ExperimentalWarning', script]
  // Nothing else, so that it does not know of a continuous integration, where it is quiet anyhow.
  const env = { HOME: home }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  assert.equal(stdout, `${BUILT_IN_DIMENSIONS}\n`)
  assert.deepEqual(readdirSync(home), [])
})
