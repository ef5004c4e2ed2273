import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { newId } from '../database/rows/ids.ts'

const NODE_LEASE_MS = 15_000
const FORGET_MS = 600_000

/**
 * This process as one of several equal nodes on a PostgreSQL database. A node counts as gone when its lease runs out by
 * the database's clock. Other nodes then end its answers.
 */
export class Node {
  readonly id = newId()
  readonly #db: Database
  #timer: NodeJS.Timeout | undefined
  #heardAt = Number.NEGATIVE_INFINITY
  /** Start of the current period without a missed heartbeat. */
  #aliveSince = 0
  #left = false

  constructor(db: Database) {
    this.#db = db
  }

  async join(): Promise<void> {
    await this.#beat()
    this.#timer = setInterval(() => void this.#beat().catch(() => {}), NODE_LEASE_MS / 3)
    this.#timer.unref()
  }

  /** After a long pause, sends a heartbeat before starting anything that other nodes would treat as abandoned. */
  async beAlive(): Promise<void> {
    if (performance.now() - this.#heardAt > NODE_LEASE_MS / 2) await this.#beat()
  }

  /**
   * Whether this node may treat others as gone. After a database outage no node has sent heartbeats, and each needs
   * time to send one.
   */
  get mayJudge(): boolean {
    return performance.now() - this.#aliveSince > NODE_LEASE_MS
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer)
    this.#left = true
    const db = this.#db
    // If this fails, the lease runs out a little later.
    await Promise.all([
      db.deleteFrom('nodes').where('id', '=', this.id).execute(),
      db.deleteFrom('duties').where('node_id', '=', this.id).execute(),
    ]).catch(() => {})
  }

  async #beat(): Promise<void> {
    if (this.#left) return
    const askedAt = performance.now()
    await sql`
      INSERT INTO nodes (id, alive_until) VALUES (${this.id}, now_ms() + ${NODE_LEASE_MS})
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`.execute(this.#db)
    if (askedAt - this.#heardAt > NODE_LEASE_MS) this.#aliveSince = askedAt
    this.#heardAt = askedAt
  }
}

export async function forgetGoneNodes(db: Database): Promise<void> {
  await sql`DELETE FROM nodes WHERE alive_until < now_ms() - ${FORGET_MS}`.execute(db)
}

/** Claims or extends a duty, a job that one node at a time does. Returns whether this node holds it. */
export async function holdsDuty(
  db: Database,
  node: Node | undefined,
  name: string,
): Promise<boolean> {
  if (!node) return true
  const { rows } = await sql`
    INSERT INTO duties (name, node_id, held_until) VALUES (${name}, ${node.id}, now_ms() + ${NODE_LEASE_MS})
    ON CONFLICT (name) DO UPDATE SET node_id = excluded.node_id, held_until = excluded.held_until
    WHERE duties.node_id = excluded.node_id OR duties.held_until < now_ms()
    RETURNING name`.execute(db)
  return rows.length > 0
}

/** Runs a duty if this node holds it, and extends the claim until it ends. */
export async function doOnDuty(
  db: Database,
  node: Node | undefined,
  name: string,
  act: () => Promise<void>,
): Promise<void> {
  if (!(await holdsDuty(db, node, name))) return
  const renew = () => void holdsDuty(db, node, name).catch(() => {})
  const timer = setInterval(renew, NODE_LEASE_MS / 3)
  try {
    await act()
  } finally {
    clearInterval(timer)
  }
}

/** Returns a value that all nodes share. The first node's value wins. */
export async function shareValue(db: Database, name: string, value: string): Promise<string> {
  await db
    .insertInto('shared_values')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('shared_values')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
