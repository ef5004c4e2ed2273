import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { newId } from '../database/rows/ids.ts'

const NODE_LEASE_MS = 15_000
const FORGET_MS = 600_000

/**
 * This process among equals on one PostgreSQL. The others take it for gone when it has not been heard of for as long as
 * its lease, by the clock of the database; then its answers are theirs to end.
 */
export class Node {
  readonly id = newId()
  readonly #db: Database
  #timer: NodeJS.Timeout | undefined
  #heardAt = Number.NEGATIVE_INFINITY
  /** Since when it has been heard of without a gap. */
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

  /** After a long pause, a node is heard of again before it begins anything that others would take for abandoned. */
  async beAlive(): Promise<void> {
    if (performance.now() - this.#heardAt > NODE_LEASE_MS / 2) await this.#beat()
  }

  /**
   * Whether it may take others for gone. After the database was away nobody has been heard of for a while, and each has to
   * have the time to say that it is there.
   */
  get mayJudge(): boolean {
    return performance.now() - this.#aliveSince > NODE_LEASE_MS
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer)
    this.#left = true
    const db = this.#db
    // If that fails, its lease tells the others a little later.
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

/** Whether this node is to do something that one node at a time does, for the next while. */
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

/** Does such a thing if it is this node's, which it stays for however long that takes. */
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

/** A value that all nodes share: the one that the first of them gave. */
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
