import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { startChild } from '../../../test/child-server.ts'
import { startSite, startTestServer, temporaryFolder } from '../../../test/harness.ts'
import { startProvider } from '../../../test/local-provider.ts'
import { docentOn } from '../../../test/run-docent.ts'
import { makeDatabase } from '../../../test/test-database.ts'

const CLI = join(import.meta.dirname, '../../cli.ts')

async function doctor(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const command = ['--disable-warning=ExperimentalWarning', CLI, 'doctor', ...args]
  return await promisify(execFile)(process.execPath, command, { env: environment }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code: code as number, stdout: stdout as string }),
  )
}

suite('docent doctor', () => {
  test('finds nothing wrong where nothing is, and a wrong key where one is', async (t) => {
    const provider = await startProvider(t)
    const environment = {
      ...(await makeDatabase(t)),
      DATA_DIR: join(temporaryFolder(t), 'new'),
      ANTHROPIC_API_KEY: provider.key,
      ANTHROPIC_BASE_URL: provider.address,
      ANTHROPIC_MODELS: 'claude-test',
      OPENAI_BASE_URL: `${provider.address}/v1`,
      OPENAI_API_KEY: provider.key,
      OPENAI_MODELS: 'local-test',
    }
    const well = await doctor(environment)
    assert.equal(well.code, 0, well.stdout)
    assert.match(well.stdout, /^ok {4}settings$/m)
    const notThere =
      /^note {2}data folder .*new: It does not exist yet\. The first start creates it\.$/m
    assert.match(well.stdout, notThere)
    mkdirSync(environment.DATA_DIR)
    assert.match((await doctor(environment)).stdout, /^ok {4}data folder .*new$/m)
    assert.match(well.stdout, /^ok {4}provider anthropic$/m)

    const wrong = await doctor(
      { ...environment, ANTHROPIC_API_KEY: 'sk-mistyped', OPENAI_MODELS: 'local-test,forgotten' },
      '--json',
    )
    assert.equal(wrong.code, 1)
    const problems = JSON.parse(wrong.stdout).map(({ problem }: { problem?: string }) => problem)
    assert.ok(problems.includes('anthropic rejects the key in ANTHROPIC_API_KEY.'))
    assert.ok(problems.includes('openai-compatible does not list forgotten.'))
    assert.doesNotMatch(wrong.stdout, /sk-mistyped/)
  })

  test('names settings, folders and providers that can’t be used', async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'file'), 'x')
    const settings = await doctor({ DATA_DIR: folder, PORT: 'x', OPENAI_BASE_URL: 'nowhere' })
    assert.equal(settings.code, 1)
    assert.match(settings.stdout, /PORT: must be/)
    assert.match(settings.stdout, /OPENAI_BASE_URL: must be/)
    const other = await doctor({
      DATA_DIR: join(folder, 'file'),
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      DEFAULT_MODEL: 'llama',
    })
    assert.equal(other.code, 1)
    assert.match(other.stdout, /WRONG data folder .*is not a folder/)
    assert.match(other.stdout, /WRONG provider openai-compatible: .*could not be reached/)
  })

  test('looks at the way to the server, and says what a proxy does wrong', async (t) => {
    const { address, owner } = await startTestServer(t)
    const login = {
      ...(await makeDatabase(t)),
      DATA_DIR: temporaryFolder(t),
      DOCENT_TOKEN: owner.token,
      XDG_CONFIG_HOME: '/nowhere',
    }
    const well = await doctor({ ...login, DOCENT_URL: address })
    assert.equal(well.code, 0, well.stdout)
    assert.match(well.stdout, /^ok {4}disk space$/m)
    assert.match(well.stdout, /^ok {4}clock$/m)
    assert.match(well.stdout, /^ok {4}connection to http:/m)

    const proxy = await startSite(t, async (request, response) => {
      const headers = {
        authorization: request.headers.authorization!,
        'x-forwarded-for': '203.0.113.7',
      }
      const answer = await fetch(address + request.url, { headers })
      response.setHeader('date', new Date(Date.now() + 600_000).toUTCString())
      response.writeHead(answer.status).end(await answer.text())
    })
    const wrong = await doctor({ ...login, DOCENT_URL: proxy })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stdout, /clock is 10 minutes ahead of this machine's/)
    assert.match(wrong.stdout, /is not trusted.*Set TRUSTED_PROXIES=127\.0\.0\.1 for the server/)
    assert.match(wrong.stdout, /Configure the proxy to pass the Host header/)
    const refused = await doctor({ ...login, DOCENT_TOKEN: 'docent_x', DOCENT_URL: address })
    assert.match(refused.stdout, /It rejects the token/)
    const away = await doctor({ ...login, DOCENT_URL: 'http://127.0.0.1:9' })
    assert.match(away.stdout, /WRONG connection to .*The server does not respond/)
    assert.doesNotMatch(refused.stdout + wrong.stdout, /docent_/)
  })

  test('finds a clock that runs behind the database', async (t) => {
    const { owner, services, config } = await startTestServer(t)
    await owner.createSession(await owner.createChatbot())
    const inAnHour = Date.now() + 3_600_000
    await services.db.updateTable('sessions').set({ modified_at: inAnHour }).execute()
    const { code, stdout } = await docentOn({ config }, ['doctor'])
    assert.equal(code, 1)
    assert.match(stdout, /WRONG clock: The newest session is from 20.*Correct its clock/)
  })

  test('says of a models file what is wrong with it', async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'models.json')
    for (const [content, complaint] of [
      ['{', /MODELS_FILE: is not valid JSON/],
      [
        '{"providers": [{"name": "a", "type": "b", "models": []}]}',
        /MODELS_FILE: providers\.0\.type/,
      ],
      [
        '{"providers": [{"name": "a", "type": "openai-compatible", "models": ["m"]}]}',
        /MODELS_FILE: a needs a base_url/,
      ],
      [
        '{"providers": [{"name": "a", "type": "openai", "api_key_env": "MY_KEY", "models": ["m"]}]}',
        /MY_KEY: is not set/,
      ],
    ] as const) {
      writeFileSync(file, content)
      const { code, stdout } = await doctor({ DATA_DIR: folder, MODELS_FILE: file })
      assert.equal(code, 1)
      assert.match(stdout, complaint)
    }
  })
})

test('a start with a wrong key says so, and serves', async (t) => {
  const provider = await startProvider(t)
  const child = await startChild(
    'apps/server/src/cli.ts',
    {
      ...(await makeDatabase(t)),
      DATA_DIR: temporaryFolder(t),
      GOOGLE_GENERATIVE_AI_API_KEY: 'mistyped',
      GOOGLE_GENERATIVE_AI_BASE_URL: `${provider.address}/v1beta`,
    },
    ['serve'],
  )
  t.after(() => child.process.kill('SIGKILL'))
  assert.equal((await fetch(`${child.address}/healthz`)).status, 200)
  while (!child.output().includes('rejects')) await new Promise((resolve) => setImmediate(resolve))
  await child.end('SIGTERM')
  assert.match(child.output(), /google rejects the key in GOOGLE_GENERATIVE_AI_API_KEY\./)
  assert.doesNotMatch(child.output(), /mistyped/)
})
