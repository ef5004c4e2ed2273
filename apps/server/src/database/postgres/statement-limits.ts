import pg, { type PoolClient, type QueryConfig, type QueryResult } from 'pg'

// A pooler such as PgBouncer in transaction mode gives each transaction another connection of the server, and refuses
// settings that come with a connection. So every transaction brings its own, and every statement outside of one, too.

export interface Limits {
  /** How long a single statement may take; 0: as long as it takes. */
  statementMs: number
  /** How long a statement may wait for the locks of others; 0: as long as they hold them. */
  lockMs: number
  /** How long a transaction may wait for its next statement: the locks of a process that hangs end with it. */
  idleMs: number
  /** Whether the handle is for searches, some of which go by an index of vectors. */
  isForSearches?: boolean
}

const NAMES: Record<'statementMs' | 'lockMs' | 'idleMs', string> = {
  statementMs: 'statement_timeout',
  lockMs: 'lock_timeout',
  idleMs: 'idle_in_transaction_session_timeout',
}
type LimitKey = keyof typeof NAMES
const KEYS = Object.keys(NAMES) as LimitKey[]

/** Takes the limits that an address names out of it: they come first, and must not travel with the connection. */
export function takeLimits(url: string, limits: Limits): { url: string; limits: Limits } {
  const address = new URL(url)
  const taken = { ...limits }
  for (const key of KEYS) {
    const named = Number.parseInt(address.searchParams.get(NAMES[key]) ?? '', 10)
    if (named >= 0) taken[key] = named
    address.searchParams.delete(NAMES[key])
  }
  return { url: address.href, limits: taken }
}

/** Begins a transaction in which the limits hold, in one message. Takes no snapshot yet, so its isolation can still change. */
export function beginWith(limits: Limits): string {
  return ['BEGIN', ...KEYS.map((key) => `SET LOCAL ${NAMES[key]} = ${limits[key]}`)].join('; ')
}

const LIMITS_NAME = 'docent_limits'
// An index of vectors looks on until it has as many as were asked for, although some are left out by a condition.
// pgvector 0.7 does not know the first setting and refuses it, once it is loaded.
const NEAR_SEARCH = [
  `CASE WHEN current_setting('hnsw.iterative_scan', true) IS NOT NULL OR current_setting('hnsw.ef_search', true) IS NULL
    THEN set_config('hnsw.iterative_scan', 'relaxed_order', true) END`,
  "set_config('hnsw.ef_search', '100', true)",
]

/** Once for each connection, ahead of its first statement and on the same way. */
export function prepareLimits(client: PoolClient, limits: Limits): void {
  const settings = [
    ...(limits.isForSearches ? NEAR_SEARCH : []),
    `set_config('${NAMES.statementMs}', '${limits.statementMs}', true)`,
    `set_config('${NAMES.lockMs}', '${limits.lockMs}', true)`,
  ]
  // Sets them all and returns no row.
  const text = `SELECT WHERE concat(${settings.join(', ')}) = ''`
  client
    .query({ name: LIMITS_NAME, text, queryMode: 'extended' } as QueryConfig)
    // No other statement runs without them, so whoever uses the connection hears of the reason.
    .catch(() => {})
}

/** The part of pg's connection and query that its types leave out. */
interface Wire {
  bind(statement: { statement: string; values: unknown[] }): void
  execute(portal: { portal: string }): void
}
interface WireQuery {
  query_timeout?: number
  prepare(wire: Wire): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
type Callback = (error: Error | null, result: QueryResult) => void
const PlainQuery = pg.Query as unknown as new (
  config: QueryConfig & { queryMode: 'extended' },
  values: undefined,
  callback: Callback,
) => WireQuery

/** A statement outside of a transaction: the limits go ahead of it in the same message, and end with it. */
class LimitedQuery extends PlainQuery {
  #hasLimits = false

  override prepare(wire: Wire): void {
    wire.bind({ statement: LIMITS_NAME, values: [] })
    wire.execute({ portal: '' })
    super.prepare(wire)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#hasLimits) super.handleCommandComplete(message, wire)
    this.#hasLimits = true
  }
}

export function queryLimited(
  client: PoolClient,
  query: QueryConfig,
  silentMs: number,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const limited = new LimitedQuery(
      { ...query, queryMode: 'extended' },
      undefined,
      (error, result) => (error ? reject(error) : resolve(result)),
    )
    limited.query_timeout = silentMs
    client.query(limited as unknown as pg.Submittable)
  })
}
