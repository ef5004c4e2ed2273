import { createHash } from 'node:crypto'
import { wordsOfPassage } from '@docent/text/passage-words.ts'
import { type Database, runAtomically } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { passageIndex } from '../search/index/choose-index.ts'
import { describeVector } from '../search/vectors/embeddings.ts'
import {
  activateEmbedder,
  countVectors,
  getActiveEmbedder,
  registerEmbedder,
} from '../search/vectors/registered-embedders.ts'
import { bytesOfStored } from '../search/vectors/stored-vector.ts'
import type { RegisteredEmbedder } from '../search/vectors/text-vectors.ts'
import { canonical, type Digest } from './store-tables.ts'

// Passages are written build by build, and a build never changes. So builds are compared, and each is written through
// the index of the target store. Hidden builds are not copied: workers make them again.

interface StoredBuild {
  source_id: string
  chatbot_id: string
  page_url: string
  revision: string
  build: string
  passages: number
  vectors: number
}

const BATCH = 64

/** Makes the target's passages equal to the source's. Returns how many it wrote or removed. */
export async function copyPassages(from: Database, to: Database): Promise<number> {
  const active = await getActiveEmbedder(from)
  if (!active) return 0
  const { passages, embedded } = await countVectors(from, active)
  if (embedded < passages) {
    throw new AppError(
      'conflict',
      'The server is still embedding passages. Wait until it has finished and try again.',
    )
  }
  const registered = await registerEmbedder(to, active)
  await activateEmbedder(to, registered)
  const there = new Map((await listBuilds(to, registered)).map((build) => [build.build, build]))
  let changes = 0
  for (const build of await listBuilds(from, active)) {
    const old = there.get(build.build)
    there.delete(build.build)
    if (old && canonical({ ...old }) === canonical({ ...build })) continue
    if (old) changes += await removeBuild(to, old)
    changes += await copyBuild(from, to, build, active, registered)
  }
  for (const build of there.values()) changes += await removeBuild(to, build)
  return changes
}

/** In the order in which the builds were written. */
async function listBuilds(db: Database, embedder: RegisteredEmbedder): Promise<StoredBuild[]> {
  const rows = await db
    .selectFrom('passages')
    .leftJoin('passage_vectors', (join) =>
      join.onRef('passage_id', '=', 'passages.id').on('embedder_id', '=', embedder.id),
    )
    .select(['source_id', 'passages.chatbot_id', 'page_url', 'revision', 'passages.build'])
    .select(({ fn }) => [
      fn.count<number>('passages.id').as('passages'),
      fn.count<number>('passage_id').as('vectors'),
    ])
    .where('passages.build', 'not in', db.selectFrom('hidden_builds').select('build'))
    .groupBy(['source_id', 'passages.chatbot_id', 'page_url', 'revision', 'passages.build'])
    .orderBy(({ fn }) => fn.min('passages.id'))
    .execute()
  return rows.map((row) => ({
    ...row,
    passages: Number(row.passages),
    vectors: Number(row.vectors),
  }))
}

function readPassages(
  db: Database,
  { source_id, page_url, build }: StoredBuild,
  embedder: RegisteredEmbedder,
  from: number,
) {
  return db
    .selectFrom('passages')
    .innerJoin('passage_vectors', 'passage_id', 'passages.id')
    .select(['position', 'starts_at', 'ends_at', 'gap', 'lead', 'text', 'page', 'vector'])
    .where('source_id', '=', source_id)
    .where('page_url', '=', page_url)
    .where('passages.build', '=', build)
    .where('embedder_id', '=', embedder.id)
    .where('position', '>=', from)
    .orderBy('position')
    .limit(BATCH)
    .execute()
}

async function copyBuild(
  from: Database,
  to: Database,
  build: StoredBuild,
  active: RegisteredEmbedder,
  registered: RegisteredEmbedder,
): Promise<number> {
  const source = { id: build.source_id, chatbot_id: build.chatbot_id, claim_id: null }
  const place = { id: build.build, source, pageUrl: build.page_url }
  for (let position = 0; position < build.passages; position += BATCH) {
    const rows = await readPassages(from, build, active, position)
    const passages = rows.map(({ starts_at, ends_at, page, vector, ...row }) => ({
      ...row,
      words: wordsOfPassage(row.lead, row.text),
      start: starts_at,
      end: ends_at,
      ...(page !== null && { page }),
      ...describeVector(bytesOfStored(vector)),
    }))
    const batch = { from: position, passages }
    await runAtomically(
      to,
      passageIndex(to).insertPassages(to, registered, place, build.revision, batch),
    )
  }
  return build.passages
}

async function removeBuild(db: Database, { source_id, page_url, build, passages }: StoredBuild) {
  await db
    .deleteFrom('passages')
    .where('source_id', '=', source_id)
    .where('page_url', '=', page_url)
    .where('build', '=', build)
    .execute()
  return passages
}

export async function digestPassages(db: Database): Promise<Digest> {
  const all = createHash('sha256')
  const active = await getActiveEmbedder(db)
  let count = 0
  const builds = active ? await listBuilds(db, active) : []
  for (const build of builds.sort((a, b) => (a.build < b.build ? -1 : 1))) {
    all.update(`${canonical({ ...build })}\n`)
    for (let from = 0; from < build.passages; from += BATCH) {
      for (const { vector, ...row } of await readPassages(db, build, active!, from)) {
        all.update(`${canonical({ ...row, vector: bytesOfStored(vector) })}\n`)
        count += 1
      }
    }
  }
  return { rows: count, sha256: all.digest('hex') }
}
