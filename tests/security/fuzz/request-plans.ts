import fc from 'fast-check'
import { HOSTILE_TEXTS, hostileValue, nearlyValidObject, validValue } from './hostile-values.ts'
import { type Operation, operations } from './operations.ts'

/** Callers. The scopes are those of the first user's tokens. A visitor has the secret of a session. */
export const DOORS = [
  'owner',
  'stranger',
  'read',
  'write',
  'chat',
  'visitor',
  'anonymous',
  'unknown',
] as const
export type Door = (typeof DOORS)[number]

/** An identifier of an earlier response (the caller's or another user's), or an invalid text. */
export interface IdChoice {
  kind: 'own' | 'foreign' | 'hostile'
  pick: number
  text: string
}

/** A request whose identifiers are chosen when it is sent. */
export interface Plan {
  operation: Operation
  door: Door
  id: IdChoice
  /** Identifiers for a list in the body. */
  ids: IdChoice[]
  query: [string, string][]
  body: { type: string; content: unknown; isRaw: boolean } | undefined
  file: { name: string; content: Uint8Array }
  headers: Record<string, string>
}

const text = fc.constantFrom(...HOSTILE_TEXTS)

const idChoice: fc.Arbitrary<IdChoice> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('own' as const) },
    { weight: 2, arbitrary: fc.constant('foreign' as const) },
    { weight: 1, arbitrary: fc.constant('hostile' as const) },
  ),
  // Prefer new records, because most old ones are already deleted.
  pick: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.nat(1_000)),
  text: text.map((value) => value.slice(0, 1_000) || 'x'),
})

const door: fc.Arbitrary<Door> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Door>('owner') },
  { weight: 6, arbitrary: fc.constant<Door>('stranger') },
  { weight: 7, arbitrary: fc.constantFrom<Door>(...DOORS.slice(2)) },
)

const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=utf-16',
]
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  '',
  'x/y',
]

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'text/event-stream' },
      { accept: '*/*;q=0' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'evil.example', forwarded: 'for=::1' },
      { 'x-http-method-override': 'DELETE', 'x-original-url': '/api/v1/tokens' },
      { cookie: 'docent_sign_in=x; docent_sign_in=y; __proto__=1' },
      { range: 'bytes=0-1', 'if-none-match': '*', te: 'trailers' },
      { 'content-encoding': 'gzip' },
      { expect: '100-continue' },
    ),
  },
)

export const plan: fc.Arbitrary<Plan> = fc.constantFrom(...operations).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    door:
      operation.door === 'visitor'
        ? fc.oneof({ weight: 3, arbitrary: fc.constant<Door>('visitor') }, door)
        : door,
    id: idChoice,
    ids: fc.array(idChoice, { maxLength: 4 }),
    query: queryOf(operation),
    body: bodyOf(operation),
    file: fc.record({
      name: fc.oneof(fc.constantFrom('a.txt', 'a.md', 'a.pdf', 'a.docx', 'a.json'), text),
      content: fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => Buffer.from(value)),
      ),
    }),
    headers,
  }),
)

function queryOf({ query }: Operation): fc.Arbitrary<[string, string][]> {
  const pairs = query.map(({ name, required, schema }) => {
    const value = fc.oneof(
      { weight: 3, arbitrary: validValue(schema, name).map(String) },
      { weight: 1, arbitrary: text.map((given) => given.slice(0, 500)) },
    )
    const given = value.map((one): [string, string][] => [[name, one]])
    const twice = fc
      .tuple(value, value)
      .map((both) => both.map((one): [string, string] => [name, one]))
    const left = fc.constant<[string, string][]>([])
    return fc.oneof(
      { weight: required ? 8 : 3, arbitrary: given },
      { weight: 1, arbitrary: twice },
      { weight: required ? 1 : 4, arbitrary: left },
    )
  })
  return fc.tuple(...pairs).map((all) => all.flat())
}

function bodyOf({ body, method }: Operation): fc.Arbitrary<Plan['body']> {
  const type = fc.constantFrom(...JSON_TYPES)
  const json = (content: fc.Arbitrary<unknown>) =>
    fc.record({ type, content, isRaw: fc.constant(false) })
  const raw = fc.record({
    type: fc.oneof(type, fc.constantFrom(...OTHER_TYPES)),
    content: fc.oneof(
      text,
      fc.constantFrom('{', '{"a":', '[[[[', '{"name":"x","name":1}', '\u{feff}{}', '{}garbage'),
      fc.string({ unit: 'binary' }),
    ),
    isRaw: fc.constant(true),
  })
  if (!body) {
    // Routes ignore a body that they do not expect.
    const none = fc.constant(undefined)
    return method === 'GET' ? none : fc.oneof({ weight: 6, arbitrary: none }, json(hostileValue))
  }
  return fc.oneof(
    { weight: 10, arbitrary: json(validValue(body)) },
    { weight: 7, arbitrary: json(nearlyValidObject(body)) },
    { weight: 2, arbitrary: json(hostileValue) },
    { weight: 1, arbitrary: raw },
  )
}
