import { randomUUID } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { newId } from '@docent/server/src/database/rows/ids.ts'
import { Client, type TestServer } from '@docent/server/test/harness.ts'
import { makeRecords } from '@docent/server/test/routes.ts'
import fc from 'fast-check'
import { type Door, type IdChoice, type Plan, plan } from './request-plans.ts'

// Sends valid and invalid requests derived from the API description, with identifiers of earlier responses. Checks
// every response against that description.

export interface FuzzResult {
  requests: number
  /** Responses by status. */
  statuses: Record<number, number>
  /** Operations without a single success, whose code was therefore not tested. */
  neverSucceeded: string[]
  failures: string[]
}

interface Person {
  /** By noun, newest first. */
  ids: Map<string, string[]>
  /** A word in this user's untouched records, which no response to another user may contain. */
  canary: string
  untouched: Map<string, string[]>
}

interface Visit {
  secret: string
  session: string
  messages: string[]
}

interface World {
  address: string
  tokens: Record<Exclude<Door, 'visitor' | 'anonymous'>, string>
  people: Record<'owner' | 'stranger', Person>
  visits: Visit[]
}

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

const AT_ONCE = 8
const BATCH = 300
const MAX_FAILURES = 20
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
// File names, stack traces and SQL.
const INTERNAL =
  /node_modules|\.[cm]?ts:\d+|\bat \S+ \(|SQLITE_|\bno such (?:table|column)\b|\/server\/src\//

export async function fuzzInterface(
  server: TestServer,
  { requests, seed }: { requests: number; seed: number },
  say = (_: string) => {},
): Promise<FuzzResult> {
  const world = await makeWorld(server)
  const result: FuzzResult = { requests: 0, statuses: {}, neverSucceeded: [], failures: [] }
  const succeeded = new Set<string>()
  const tried = new Set<string>()
  const tryNext = async (plans: Plan[], from: number) => {
    for (let each = plans.pop(); each; each = plans.pop()) {
      const { reply, problems } = await tryOut(world, each)
      tried.add(each.operation.name)
      if (reply.status === 200) succeeded.add(each.operation.name)
      result.requests += 1
      result.statuses[reply.status] = (result.statuses[reply.status] ?? 0) + 1
      for (const problem of problems) {
        result.failures.push(`seed ${from}: ${describe(each, reply, problem)}`)
      }
    }
  }
  for (let from = seed; result.requests < requests; from++) {
    await addRecords(world, server)
    const plans = fc.sample(plan, {
      seed: from,
      numRuns: Math.min(BATCH, requests - result.requests),
    })
    await Promise.all(Array.from({ length: AT_ONCE }, () => tryNext(plans, from)))
    say(`${result.requests} requests, ${result.failures.length} failures`)
    if (result.failures.length >= MAX_FAILURES) break
  }
  result.neverSucceeded = [...tried].filter((name) => !succeeded.has(name))
  return result
}

async function makeWorld({ owner, stranger, address, tokenFor }: TestServer): Promise<World> {
  const scoped = async (scope: 'read' | 'write' | 'chat') =>
    (await tokenFor('owner', { scopes: [scope] })).token
  return {
    address,
    tokens: {
      owner: owner.token,
      stranger: stranger.token,
      read: await scoped('read'),
      write: await scoped('write'),
      chat: await scoped('chat'),
      unknown: `docent_${'x'.repeat(43)}`,
    },
    people: { owner: await makePerson(owner), stranger: await makePerson(stranger) },
    visits: [],
  }
}

/** Adds fresh records, because the previous batch changed its records and deleted most of them. */
async function addRecords(world: World, { owner, stranger, address }: TestServer): Promise<void> {
  for (const [name, client] of Object.entries({ owner, stranger })) {
    const made = await makeRecords(client, { visibility: 'public' })
    const { ids } = world.people[name as 'owner' | 'stranger']
    for (const [word, id] of Object.entries(made)) {
      const noun = word === 'source' ? 'data-source' : word
      ids.set(noun, [id, ...(ids.get(noun) ?? [])])
    }
    const visitor = new Client(address, '')
    const path = `/public/chatbot/${made.chatbot}/session`
    const { uuid, secret } = (await visitor.json('POST', path, { channel: 'share' })).body
    // The rate limit of visitors may reject a session.
    if (!uuid) continue
    const asked = await new Client(address, secret).send(
      'POST',
      `/public/session/${uuid}/message/stream`,
      { query: 'When?' },
    )
    await asked.text()
    world.visits.unshift({
      session: uuid,
      secret,
      messages: [asked.headers.get('x-message-uuid')!],
    })
  }
}

/** Adds records whose identifiers only other users' requests use. */
async function makePerson(client: Client): Promise<Person> {
  const canary = `canary${randomUUID().replaceAll('-', '')}`
  const chatbot = await client.createChatbot({ name: canary, prompt: canary })
  const source = await client.createPair(chatbot, `What is ${canary}?`, canary)
  const session = await client.createSession(chatbot)
  const asked = await client.ask(session, `What is ${canary}?`)
  await asked.text()
  const hook = { url: `https://nowhere.invalid/${canary}` }
  const webhook = (await client.json('POST', `/chatbot/${chatbot}/webhook/create`, hook)).body.uuid
  const token = (await client.json('POST', '/token/create', { name: canary })).body.uuid
  const untouched = { chatbot, 'data-source': source, session, webhook, token }
  return {
    ids: new Map(),
    canary,
    untouched: new Map([
      ...Object.entries(untouched).map(([noun, id]): [string, string[]] => [noun, [id]]),
      ['message', [asked.headers.get('x-message-uuid')!]],
    ]),
  }
}

async function tryOut(world: World, each: Plan): Promise<{ reply: Reply; problems: string[] }> {
  const visit =
    each.door === 'visitor' ? world.visits[each.id.pick % (world.visits.length || 1)] : undefined
  const reply = await send(world, each, visit)
  const problems = [...problemsOfReply(each, reply), ...problemsOfAccess(world, each, reply)]
  if (reply.status === 200) remember(world, each, reply, visit)
  return { reply, problems }
}

function send(world: World, each: Plan, visit: Visit | undefined): Promise<Reply> {
  const { operation, door } = each
  const id =
    visit && operation.door === 'visitor'
      ? visitedId(world, each, visit)
      : idFor(world, each, each.id)
  const query = each.query.map((pair) => pair.map(encode).join('=')).join('&')
  const path = operation.path.replace(/\{\w+\}/, encode(id)) + (query && `?${query}`)
  const secret = door === 'visitor' ? (visit?.secret ?? 'visitor_x') : tokenOf(world, door)
  const { type, content } = bodyFor(world, each)
  const headers = {
    ...each.headers,
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    ...(type && { 'content-type': type }),
    ...(content && { 'content-length': String(content.length) }),
  }
  const { hostname, port } = new URL(world.address)
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, path, method: operation.method, headers },
      (got) => {
        const pieces: Buffer[] = []
        got.on('data', (piece) => pieces.push(piece))
        const finish = () => {
          const body = Buffer.concat(pieces).toString()
          resolve({ status: got.statusCode!, headers: got.headers, body })
        }
        // A response may break off only if another request deleted its record (message or exported chatbot).
        const message = got.headers['x-message-uuid']
        const isExport = operation.path.endsWith('/conversations/export')
        const sentOf = message ? `message/${message}` : isExport ? `chatbot/${id}` : undefined
        got.on('error', async (error) =>
          sentOf && (await isGone(world, sentOf)) ? finish() : reject(error),
        )
        got.on('end', finish)
      },
    )
    sent.on('error', reject)
    sent.end(content)
  })
}

async function isGone({ address, tokens }: World, path: string): Promise<boolean> {
  const url = `${address}/api/v1/${path}`
  const asked = Object.values(tokens).map(async (token) => {
    const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return status !== 200
  })
  return (await Promise.all(asked)).every(Boolean)
}

/** Replaces lone surrogates, which have no encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function tokenOf({ tokens }: World, door: Exclude<Door, 'visitor'>): string | undefined {
  return door === 'anonymous' ? undefined : tokens[door]
}

function bodyFor(world: World, each: Plan): { type?: string; content?: Buffer } {
  if (each.operation.isUpload) return uploadOf(each)
  if (!each.body) return {}
  const { type, content, isRaw } = each.body
  if (isRaw) return { type, content: Buffer.from(String(content)) }
  return { type, content: Buffer.from(JSON.stringify(withKnownIds(world, each, content))) }
}

/** Puts existing identifiers into bodies that name records. */
function withKnownIds(world: World, each: Plan, content: unknown): unknown {
  const { uuids, model } = (content ?? {}) as { uuids?: unknown; model?: unknown }
  const isOpenAi = each.operation.path.startsWith('/v1/')
  if (isOpenAi && typeof model === 'string') {
    return { ...(content as object), model: idFor(world, each, each.id) }
  }
  if (!Array.isArray(uuids) || each.ids.length === 0) return content
  return { ...(content as object), uuids: each.ids.map((one) => idFor(world, each, one)) }
}

function uploadOf({ file }: Plan): { type: string; content: Buffer } {
  const name = file.name
    .toWellFormed()
    .replaceAll(/[\r\n"]/g, '_')
    .slice(0, 2_000)
  const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const content = Buffer.concat([Buffer.from(head), file.content, Buffer.from('\r\n--x--\r\n')])
  return { type: 'multipart/form-data; boundary=x', content }
}

function personOf(door: Door): 'owner' | 'stranger' {
  return door === 'stranger' ? 'stranger' : 'owner'
}

function idFor(
  { people }: World,
  { operation, door }: Plan,
  { kind, pick, text }: IdChoice,
): string {
  if (kind === 'hostile') return text
  // The plural in the path names the records of a list in the body.
  const noun = operation.noun ?? /(data-source|session|message)s/.exec(operation.path)?.[1] ?? ''
  const mine = personOf(door)
  const theirs = people[mine === 'owner' ? 'stranger' : 'owner']
  const from = kind === 'own' ? people[mine].ids.get(noun) : theirs.untouched.get(noun)
  return from?.[pick % from.length] ?? newId()
}

function visitedId({ visits, people }: World, { operation, id }: Plan, visit: Visit): string {
  if (id.kind === 'hostile') return id.text
  if (id.kind === 'own')
    return operation.noun === 'session' ? visit.session : (visit.messages[0] ?? newId())
  const other = visits.find((each) => each.secret !== visit.secret)
  if (other && operation.noun === 'session') return other.session
  return other?.messages[0] ?? people.owner.untouched.get(operation.noun!)?.[0] ?? newId()
}

/** Checks a response against the API description. */
function problemsOfReply({ operation }: Plan, { status, headers, body }: Reply): string[] {
  const problems: string[] = []
  // A busy server may answer 503 with a retry-after header.
  const isBusy = status === 503 && headers['retry-after'] !== undefined
  if (status >= 500 && !isBusy) problems.push('it failed inside')
  const described = operation.replies.get(status)
  if (!described) return [...problems, 'its status is not described']
  const { types, check } = described
  const [type = '', encoding] = headers['content-type']?.split('; ') ?? []
  if (!types.includes(type) || encoding !== 'charset=utf-8') {
    problems.push(`its type is ${headers['content-type']}`)
  } else if (type === 'application/json' && !check?.(JSON.parse(body))) {
    problems.push(`its body: ${JSON.stringify(check?.errors)}`)
  }
  if (status >= 400 && INTERNAL.test(body)) problems.push('it tells what is inside')
  if (headers['x-content-type-options'] !== 'nosniff') problems.push('browsers may guess its type')
  return problems
}

/** Checks that requests need a valid token, and that users see only their own records. */
function problemsOfAccess(world: World, each: Plan, { status, body }: Reply): string[] {
  const { operation, door, id } = each
  const problems: string[] = []
  const isIn = door !== 'anonymous' && door !== 'unknown' && door !== 'visitor'
  if (operation.door === 'token' && !isIn && status !== 401) problems.push('it needs a token')
  const isForeign = operation.noun !== undefined && id.kind === 'foreign'
  if (isForeign && status === 200 && operation.door !== 'open') problems.push('it is another’s')
  for (const [name, { canary }] of Object.entries(world.people)) {
    const isTheirs = isIn && personOf(door) === name
    if (!isTheirs && body.includes(canary)) problems.push(`it shows what is the ${name}’s`)
  }
  return problems
}

const CREATES: [RegExp, string][] = [
  [/\/chatbot\/create$/, 'chatbot'],
  [/\/data-source\/(url|qa|upload)$/, 'data-source'],
  [/\/session\/create$/, 'session'],
  [/\/token\/create$/, 'token'],
  [/\/webhook\/create$/, 'webhook'],
]

function remember(
  world: World,
  { operation, door }: Plan,
  { headers, body }: Reply,
  visit: Visit | undefined,
): void {
  const { ids } = world.people[personOf(door)]
  const add = (noun: string, id: string) =>
    ids.set(noun, [id, ...(ids.get(noun) ?? [])].slice(0, 1_000))
  const message = headers['x-message-uuid']
  if (typeof message === 'string') {
    if (visit) visit.messages.unshift(message)
    else add('message', message)
  }
  const noun = CREATES.find(([pattern]) => pattern.test(operation.path))?.[1]
  if (noun) add(noun, JSON.parse(body).uuid)
  if (operation.path.endsWith('/public/chatbot/{uuid}/session')) {
    const { uuid, secret } = JSON.parse(body)
    world.visits = [{ session: uuid, secret, messages: [] }, ...world.visits].slice(0, 200)
  }
}

function describe(
  { operation, door, id, query, body }: Plan,
  { status, body: got }: Reply,
  problem: string,
): string {
  const sent = JSON.stringify({ door, id: id.kind, query, body: body?.content })?.slice(0, 600)
  return `${operation.name} answered ${status}: ${problem}\n  sent ${sent}\n  got ${got.slice(0, 400)}`
}
