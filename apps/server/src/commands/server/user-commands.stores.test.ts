import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Client, startTestServer, until } from '../../../test/harness.ts'
import { runInTerminal } from '../../../test/remote-docent.ts'
import { docentOn, LAUNCHER, runForJson } from '../../../test/run-docent.ts'
import { indexTable } from '../../../test/test-database.ts'
import { DELETED_OWNER_ID } from '../../features/owners/deleted-chatbots.store.ts'

type Server = Awaited<ReturnType<typeof startTestServer>>

const PASSWORD = 'a long enough password'

const environmentOf = ({ config: { dataDir, databaseUrl } }: Server) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
})

function setPassword(server: Server, name: string): void {
  const options = { env: environmentOf(server), input: PASSWORD }
  const { status } = spawnSync(process.execPath, [LAUNCHER, 'user', 'password', name], options)
  assert.equal(status, 0)
}

async function signIn({ address }: Server, name: string): Promise<Response> {
  return fetch(`${address}/api/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: PASSWORD }),
  })
}

async function namesOf(server: Server): Promise<string[]> {
  const users: { name: string }[] = await runForJson(server, ['user', 'list'])
  return users.map(({ name }) => name)
}

suite('docent user create', () => {
  test('refuses a name that nobody could sign in with', async (t) => {
    const server = await startTestServer(t)
    for (const [args, message] of [
      [['x'.repeat(101)], /^A name must have at most 100 characters\.$/m],
      [['  '], /docent user create NAME/],
      [[], /docent user create NAME/],
    ] as const) {
      const { code, stderr } = await docentOn(server, ['user', 'create', ...args])
      assert.equal(code, 2)
      assert.match(stderr, message)
    }
    await runForJson(server, ['user', 'create', ` ${'y'.repeat(100)} `])
    setPassword(server, 'y'.repeat(100))
    assert.equal((await signIn(server, 'y'.repeat(100))).status, 200)
  })
})

suite('docent user rename', () => {
  test('gives another name to sign in by, and leaves everything else', async (t) => {
    const server = await startTestServer(t)
    const chatbot = await server.owner.createChatbot()
    setPassword(server, 'owner')
    const cookie = (await signIn(server, 'owner')).headers.get('set-cookie')!.split(';')[0]!
    const { code, stdout } = await docentOn(server, ['user', 'rename', 'owner', 'maria'])
    assert.equal(code, 0)
    assert.match(stdout, /^Renamed "owner" to "maria"/)
    assert.deepEqual(await namesOf(server), ['maria', 'stranger'])
    assert.equal((await signIn(server, 'owner')).status, 401)
    assert.equal((await signIn(server, 'maria')).status, 200)
    assert.equal((await server.owner.json('GET', `/chatbot/${chatbot}`)).status, 200)
    const who = await fetch(`${server.address}/api/v1/auth/state`, { headers: { cookie } })
    assert.equal(((await who.json()) as { user: { name: string } }).user.name, 'maria')
  })

  test('refuses a name that is taken or too long, and who is not there', async (t) => {
    const server = await startTestServer(t)
    for (const [exit, args, message] of [
      [1, ['owner', 'stranger'], /A user named "stranger" already exists/],
      [1, ['nobody', 'maria'], /There is no user "nobody"/],
      [2, ['owner', 'x'.repeat(101)], /must have at most 100 characters/],
      [2, ['owner'], /docent user rename OLD NEW/],
      [2, ['owner', 'maria', 'anna'], /Unexpected argument "anna"/],
    ] as const) {
      const { code, stderr } = await docentOn(server, ['user', 'rename', ...args])
      assert.equal(code, exit, args.join(' '))
      assert.match(stderr, message)
    }
    assert.deepEqual(await namesOf(server), ['owner', 'stranger'])
  })
})

suite('docent user remove', async () => {
  const server = await startTestServer({ after })
  const { owner, stranger, services } = server

  const TABLES = [
    'users',
    'tokens',
    'sign_ins',
    'chatbots',
    'widgets',
    'sources',
    'source_files',
    'revisions',
    'passages',
    'passage_words',
    'passage_vectors',
    indexTable(services),
    'sessions',
    'messages',
    'webhooks',
    'webhook_deliveries',
  ]

  async function countAll(): Promise<Record<string, number>> {
    const counts = TABLES.map(async (table) => {
      const query = services.db
        .selectFrom(table as 'users')
        // The owner of deleted chatbots is not an account.
        .$if(table === 'users', (users) => users.where('id', '!=', DELETED_OWNER_ID))
        .select((eb) => eb.fn.countAll().as('n'))
      return [table, Number((await query.executeTakeFirstOrThrow()).n)] as const
    })
    return Object.fromEntries(await Promise.all(counts))
  }

  async function fill(client: Client): Promise<string> {
    const chatbot = await client.createChatbot({ name: 'Guide' })
    const webhook = { url: 'https://example.org/hook', events: ['source.finished'] }
    await client.json('POST', `/chatbot/${chatbot}/webhook/create`, webhook)
    await client.json('POST', `/chatbot/${chatbot}/widget/update`, { greeting: 'Hello' })
    await client.createPair(chatbot, 'When?', 'Now.')
    const upload = await client.upload(chatbot, 'a.md', '# A\n\nWords to find.')
    await client.settled(((await upload.json()) as { uuid: string }).uuid)
    await (await client.ask(await client.createSession(chatbot), 'When?')).text()
    return chatbot
  }

  test('asks in a terminal and wants --yes elsewhere, and says what would go', async () => {
    await stranger.createChatbot({ name: 'First' })
    const asked = await docentOn(server, ['user', 'remove', 'stranger'])
    assert.equal(asked.code, 1)
    assert.match(
      asked.stderr,
      /^Nothing was deleted\. Use --yes to remove "stranger" with 1 chatbot, /,
    )
    const remote = { environment: environmentOf(server), folder: server.config.dataDir }
    const output = await runInTerminal(
      remote,
      ['user', 'remove', 'stranger'],
      [[/\[y\/N\]/, 'n\n']],
    )
    assert.match(output, /Remove "stranger" with 1 chatbot, .*\? \[y\/N\]/)
    assert.deepEqual(await namesOf(server), ['owner', 'stranger'])
  })

  test('takes everything along that is theirs, and nothing of anybody else’s', async () => {
    const kept = await fill(owner)
    const before = await countAll()
    await runForJson(server, ['user', 'create', 'maria'])
    const making = ['token', 'create', '--name', 'hers', '--user', 'maria']
    const hers = new Client(server.address, (await runForJson(server, making)).token)
    setPassword(server, 'maria')
    assert.equal((await signIn(server, 'maria')).status, 200)
    await fill(hers)
    await hers.createChatbot({ name: 'Another' })
    setPassword(server, 'owner')
    assert.notDeepEqual(await countAll(), before)

    const removed = await runForJson(server, ['user', 'remove', 'maria', '--yes'])
    assert.deepEqual([removed.name, removed.chatbots], ['maria', 2])
    await until(async () => isDeepStrictEqual(await countAll(), before) || undefined)
    assert.equal((await hers.json('GET', '/chatbots')).status, 401)
    assert.equal((await signIn(server, 'maria')).status, 401)
    assert.equal((await owner.json('GET', `/chatbot/${kept}`)).status, 200)
    const { body } = await owner.json('POST', `/chatbot/${kept}/search`, { query: 'Words' })
    assert.match(body[0].text, /Words to find/)
  })

  test('refuses the last one who can sign in, the only one, and who is not there', async () => {
    const remove = (name: string) => docentOn(server, ['user', 'remove', name, '--yes'])
    const last = await remove('owner')
    assert.equal(last.code, 1)
    assert.match(last.stderr, /Only "owner" can sign in\..* docent user password NAME/)
    assert.match((await remove('nobody')).stderr, /There is no user "nobody"/)
    assert.equal((await remove('stranger')).code, 0)
    const only = await remove('owner')
    assert.equal(only.code, 1)
    assert.match(only.stderr, /"owner" is the only user/)
    assert.equal((await owner.json('GET', '/chatbots')).status, 200)
  })
})

suite('docent token create', () => {
  test('revokes a token that could not be shown, and says so', async (t) => {
    const server = await startTestServer(t)
    const line = `'${process.execPath}' '${LAUNCHER}' token create --name lost >/dev/full`
    const options = { env: environmentOf(server), encoding: 'utf8' as const }
    const { status, stderr } = spawnSync('sh', ['-c', line], options)
    assert.equal(status, 1)
    assert.equal(
      stderr,
      'The output cannot be written: the disk is full. The token was not shown and is revoked.\n',
    )
    const tokens: { name: string; revoked_at: number | null }[] = await runForJson(server, [
      'token',
      'list',
    ])
    assert.ok(tokens.find(({ name }) => name === 'lost')?.revoked_at)
  })
})
