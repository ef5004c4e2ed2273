import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/harness.ts'
import { docent, serve } from '../../test/run-docent.ts'
import { readConfig } from '../config.ts'

const SECRET = '777/60'
const MISSPELT = { RATE_LIMIT_PER_TOKENS: SECRET, ALOW_PRIVATE_HOSTS: '10.0.0.0/8' }

test('a misspelt setting is named when the server starts, which goes on, and by the doctor', async (t) => {
  const folder = temporaryFolder(t)
  const child = await serve(folder, { ...MISSPELT, HOSTNAME: 'here', LOG_LEVEL: 'warn' })
  let log = ''
  child.process.stderr!.on('data', (chunk) => {
    log += chunk
  })
  assert.equal((await fetch(`${child.address}/healthz`)).status, 200)
  child.process.kill('SIGTERM')
  await once(child.process, 'exit')
  assert.match(log, /RATE_LIMIT_PER_TOKENS is not a setting.* Did you mean RATE_LIMIT_PER_TOKEN\?/)
  assert.match(log, /ALOW_PRIVATE_HOSTS is not a setting.* Did you mean ALLOW_PRIVATE_HOSTS\?/)
  assert.equal(log.match(/is not a setting/g)?.length, 2)
  assert.ok(!log.includes(SECRET))

  const { stdout, code } = await docent(folder, ['doctor'], MISSPELT)
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^note {2}settings: .*Did you mean RATE_LIMIT_PER_TOKEN\?/m)
})

for (const [given, meant] of [
  ['RATE_LIMIT_PER_TOKENS', 'RATE_LIMIT_PER_TOKEN'],
  ['RATE_LIMIT_PER_TOEKN', 'RATE_LIMIT_PER_TOKEN'],
  ['TRUSTED_PROXY', undefined],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['DATADIR', 'DATA_DIR'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
  ['OPENAI_MODEL', 'OPENAI_MODELS'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['REEDER', 'READER'],
  ['HOSTNAME', undefined],
  ['HOSTS', undefined],
  ['PORTS', undefined],
  ['MANPATH', undefined],
  ['LOGNAME', undefined],
  ['DOCENT_URL', undefined],
  ['DOCENT_TOKEN', undefined],
  ['NODE_OPTIONS', undefined],
  ['npm_config_loglevel', undefined],
  ['LC_ALL', undefined],
  ['x'.repeat(10_000), undefined],
] as const) {
  test(`${given.slice(0, 40)} is ${meant ? `taken for ${meant}` : 'taken for no setting'}`, (t) => {
    const { misspelt } = readConfig({ DATA_DIR: temporaryFolder(t), [given]: 'x' })
    assert.deepEqual(misspelt, meant ? [{ given, meant }] : [])
  })
}

test('a setting without a value is not named', (t) => {
  const environment = { DATA_DIR: temporaryFolder(t), LOG_LEVELS: '' }
  assert.deepEqual(readConfig(environment).misspelt, [])
})
