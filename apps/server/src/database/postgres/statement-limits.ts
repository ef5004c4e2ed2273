import pg, { type PoolClient, type QueryConfig, type QueryResult } from 'pg'

// A pooler such as PgBouncer in transaction mode gives each transaction another server connection and rejects settings
// in the connection string. So every transaction, and every statement outside of one, sets its own limits.

export interface Limits {
  /** Statement timeout. 0: none. */
  statementMs: number
  /** Lock timeout. 0: none. */
  lockMs: number
  /** How long a transaction may stay idle. It releases the locks of a hung process. */
  idleMs: number
  /** Whether to set the options of vector index scans. */
  isForSearches?: boolean
}

const NAMES: Record<'statementMs' | 'lockMs' | 'idleMs', string> = {
  statementMs: 'statement_timeout',
  lockMs: 'lock_timeout',
  idleMs: 'idle_in_transaction_session_timeout',
}
type LimitKey = keyof typeof NAMES
const KEYS = Object.keys(NAMES) as LimitKey[]

/** Moves limits out of the URL. They override the defaults and must not be sent when connecting. */
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

/**
 * Begins a transaction and sets the limits in one message. It takes no snapshot, so the isolation level can still
 * change.
 */
export function beginWith(limits: Limits): string {
  return ['BEGIN', ...KEYS.map((key) => `SET LOCAL ${NAMES[key]} = ${limits[key]}`)].join('; ')
}

const LIMITS_NAME = 'docent_limits'
// Iterative scans continue until enough rows pass the filter. pgvector 0.7 rejects the first setting once it is loaded.
const NEAR_SEARCH = [
  `CASE WHEN current_setting('hnsw.iterative_scan', true) IS NOT NULL OR current_setting('hnsw.ef_search', true) IS NULL
    THEN set_config('hnsw.iterative_scan', 'relaxed_order', true) END`,
  "set_config('hnsw.ef_search', '100', true)",
]

/** Runs once per connection, pipelined before its first statement. */
export function prepareLimits(client: PoolClient, limits: Limits): void {
  const settings = [
    ...(limits.isForSearches ? NEAR_SEARCH : []),
    `set_config('${NAMES.statementMs}', '${limits.statementMs}', true)`,
    `set_config('${NAMES.lockMs}', '${limits.lockMs}', true)`,
  ]
  // Applies all settings and returns no row.
  const text = `SELECT WHERE concat(${settings.join(', ')}) = ''`
  client
    .query({ name: LIMITS_NAME, text, queryMode: 'extended' } as QueryConfig)
    // No other statement runs without the limits, so its caller gets the error.
    .catch(() => {})
}

/** Internals of pg that its types leave out. */
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

/** A statement outside of a transaction. The limits precede it in the same message and end with it. */
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
