import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { allRoutes, makeRecords, openapi } from '@docent/server/test/routes.ts'
import { sql } from 'kysely'

// Adds fields that clients must not set to every valid body.

const PRIVILEGED =
  `id uuid user_id owner_id chatbot_id session_id source_id message_id created_at modified_at expires_at
  revoked_at last_used_at hash hint password role roles admin is_admin isAdmin permissions type status attempts claim_id
  due_at file_name file_size meta meta_json citations cite_data_json response finish_reason error_message hit_at settled_at
  settings secret token budget is_active`.split(/\s+/)

const MARK = 'mark-of-a-field-that-nobody-may-set'

const { owner, stranger, services } = await startTestServer({ after })
const mine = await makeRecords(owner)
const theirs = await makeRecords(stranger)

async function everything(): Promise<string> {
  const tables = await services.db.introspection.getTables()
  const plain = tables.filter(({ name }) => !/^passage|_words|_terms|_signs/.test(name))
  const rows = plain.map(({ name }) => sql`SELECT * FROM ${sql.table(name)}`.execute(services.db))
  return JSON.stringify((await Promise.all(rows)).map((result) => result.rows))
}

function knownFields(method: string, path: string): string[] {
  const operation = openapi.paths[`/api/v1${path}`][method.toLowerCase()]
  return Object.keys(operation.requestBody.content['application/json'].schema.properties)
}

const writes = allRoutes.filter(
  ({ body, path, takesUuids }) => body !== undefined && !takesUuids && !path.startsWith('/auth/'),
)

for (const { method, path, noun, body, door } of writes.filter(({ door }) => door === 'token')) {
  test(`${method} ${path} stores nothing that it does not name`, async () => {
    const known = knownFields(method, path)
    const extra = PRIVILEGED.filter((field) => !known.includes(field)).map((field) => [field, MARK])
    // Settings may be nested, so send the fields there, too.
    const inside = Object.fromEntries(PRIVILEGED.map((field) => [field, MARK]))
    const sent = {
      ...Object.fromEntries(extra),
      ...(body as object),
      ...(known.includes('meta') && { meta: inside }),
    }
    const uuid = noun ? mine[noun] : ''
    const reply = await owner.send(method, path.replace('{uuid}', uuid), sent)
    const text = await reply.text()
    assert.ok([200, 422, 409].includes(reply.status), `${door} ${reply.status} ${text}`)
    assert.ok(!text.includes(MARK))
    assert.ok(!(await everything()).includes(MARK))
  })
}

test('and nothing has changed hands', async () => {
  const owners = await services.db.selectFrom('chatbots').select(['id', 'owner_id']).execute()
  const byId = new Map(owners.map(({ id, owner_id }) => [id, owner_id]))
  assert.notEqual(byId.get(mine.chatbot), byId.get(theirs.chatbot))
  assert.equal((await owner.json('GET', `/chatbot/${theirs.chatbot}`)).status, 404)
  assert.equal((await stranger.json('GET', `/chatbot/${mine.chatbot}`)).status, 404)
})
