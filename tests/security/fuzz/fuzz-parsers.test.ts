import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '@docent/server/test/files/read-upload.ts'
import { fuzzParsers, ownSamples } from './fuzz-parsers.ts'

// "npm run campaign:parsers" runs longer, with real files.
test('a damaged file is read or refused with a reason, whatever its kind', async () => {
  const samples = ownSamples()
  const { files, read, refused, failures } = await fuzzParsers(samples, { files: 400, seed: 1 })
  assert.deepEqual(failures, [])
  assert.equal(files, 400)
  assert.ok(read > 0 && Object.keys(refused).length > 0)
})

test('XML that ends inside of a tag is read up to there', async () => {
  const { text } = await read('<?xml version="1.0"?><a><b>Open daily</b><c d="', 'a.xml')
  assert.match(text, /Open daily/)
})
