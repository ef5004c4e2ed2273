import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readConfig } from '@docent/server/src/config.ts'
import { databaseFile } from '@docent/server/src/database/data-folder.ts'
import type { Database } from '@docent/server/src/database/database.ts'
import { openDatabase } from '@docent/server/src/database/open-database.ts'
import { createUser } from '@docent/server/src/features/accounts/users.store.ts'
import { createChatbot } from '@docent/server/src/features/chatbots/chatbots.store.ts'
import { createToken } from '@docent/server/src/features/tokens/tokens.store.ts'
import { createVisitorSession } from '@docent/server/src/features/visitors/visitors.store.ts'

export interface Caller {
  token: string
  chatbot: string
}

/** Two owners on a server: a greedy owner, and a quiet owner who must not notice. */
export interface World {
  address: string
  /** The server's process id. */
  pid: number
  greedy: Caller
  quiet: Caller
  /** A visitor's session with the greedy owner's chatbot. */
  visit: { session: string; secret: string }
}

const DAY_MS = 86_400_000

/** Writes rows before the server opens the database. */
export type Fill = (database: DatabaseSync, of: { chatbot: string; session: string }) => void

/** Creates both owners in an empty data folder. */
export async function makeOwners(fill: Fill): Promise<{ folder: string; owners: OwnersOfWorld }> {
  const { folder, result } = await withDatabase(async (db) => {
    const [greedy, quiet] = [await makeOwner(db, 'greedy'), await makeOwner(db, 'quiet')]
    const { session, secret } = await createVisitorSession(db, greedy.owned, 'share')
    return {
      greedy: { token: greedy.token, chatbot: greedy.chatbot },
      quiet: { token: quiet.token, chatbot: quiet.chatbot },
      visit: { session: session.id, secret },
    }
  })
  const database = new DatabaseSync(databaseFile(folder))
  fill(database, { chatbot: result.greedy.chatbot, session: result.visit.session })
  database.close()
  return { folder, owners: result }
}

export type OwnersOfWorld = Omit<World, 'address' | 'pid'>

/** Creates a data folder and writes to its database before a server opens it. */
export async function withDatabase<T>(
  write: (db: Database) => Promise<T>,
): Promise<{ folder: string; result: T }> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
  const { db, close } = await openDatabase(readConfig({ DATA_DIR: folder }))
  const result = await write(db)
  await close()
  return { folder, result }
}

async function makeOwner(db: Database, name: string) {
  const user = await createUser(db, name)
  const { token } = await createToken(db, { userId: user.id, name })
  const owned = await createChatbot(db, user.id, {
    name,
    settings: { visibility: 'public', rate_limit: [10_000, 1] },
  })
  return { token, chatbot: owned.id, owned }
}

/** Adds answered messages to a session, spread over the last thirty days. */
export function fillMessages(
  database: DatabaseSync,
  session: string,
  count: number,
  responseBytes: number,
): void {
  const begin = Date.now() - 30 * DAY_MS
  const step = Math.floor((30 * DAY_MS) / count)
  const meta = JSON.stringify({
    model_used: 'docent-quote',
    answered: true,
    actual_token_distribution: { total_tokens: 100 },
    timings_ms: { first_text: 12, total: 20 },
    receipts: {},
  })
  const response = 'word '.repeat(Math.ceil(responseBytes / 5)).slice(0, responseBytes)
  database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)
      INSERT INTO messages (id, session_id, query, response, finish_reason, meta, created_at, modified_at)
      SELECT printf('%012x7000%016x', :begin + n * :step, n), :session, 'Question ' || n,
        :response, 'stop', :meta, :begin + n * :step, :begin + n * :step FROM numbers`,
    )
    .run({ last: count - 1, begin, step, session, response, meta })
}

export function fillSessions(database: DatabaseSync, chatbot: string, count: number): void {
  database
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)
      INSERT INTO sessions (id, chatbot_id, created_at, modified_at)
      SELECT printf('%012x7000%016x', :now + n, n), :chatbot, :now + n, :now + n FROM numbers`,
    )
    .run({ last: count - 1, now: Date.now() - DAY_MS, chatbot })
}
