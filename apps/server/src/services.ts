import type { FastifyBaseLogger } from 'fastify'
import type { LiveAnswers } from './answering/live/live-answers.ts'
import type { RemoteAnswers } from './answering/live/remote-answers.ts'
import type { WaitingPlaces } from './answering/waiting-places.ts'
import type { Config } from './config.ts'
import type { Analytics } from './database/analytics.ts'
import type { Database } from './database/database.ts'
import type { OwnerQuotas } from './features/owners/owner-quotas.ts'
import type { UploadDesk } from './features/sources/upload.ts'
import type { BodyLimits } from './http/guards/unfinished-bodies.ts'
import type { DocumentReader } from './ingestion/confined/read-document.ts'
import type { ConnectionGuard } from './ingestion/fetch/connection-guard.ts'
import type { Programs } from './ingestion/programs/programs.ts'
import type { PageRenderer } from './ingestion/render/render-page.ts'
import type { Node } from './jobs/node.ts'
import type { Bell } from './jobs/wake-signal.ts'
import type { Metrics } from './metrics.ts'
import type { ModelCatalogue } from './models/catalog.ts'
import type { Inference } from './models/inference/inference.ts'
import type { Embeddings } from './search/embeddings/embeddings.ts'
import type { FairQueue } from './sharing/fair-queue.ts'
import type { ListQueues } from './sharing/list-queues.ts'
import type { RequestTurns } from './sharing/request-turns.ts'

/** Everything that a route or a job may reach. Built once in main.ts, and by each test. */
export interface Services {
  config: Config
  db: Database
  /** For reading that may take milliseconds: on SQLite it has a thread of its own. */
  searchDb: Database
  /** The turns of owners at searching. */
  searches: FairQueue
  /** For reading that may take seconds: reports, lists of conversations. On SQLite it has another thread. */
  analytics: Analytics
  log: FastifyBaseLogger
  models: ModelCatalogue
  embeddings: Embeddings
  /** The process in which the built-in models run. */
  inference: Inference
  live: LiveAnswers
  /** Of questions without a word of answer yet. */
  places: WaitingPlaces
  lists: ListQueues
  requestTurns: RequestTurns
  /** This process among others on the same PostgreSQL; undefined on SQLite, which one process has to itself. */
  node: Node | undefined
  /** The answers that other nodes give. */
  remote: RemoteAnswers | undefined
  documents: DocumentReader
  /** The same, for those whose pages have to be recognised. */
  scans: DocumentReader
  /** What happens to requests for host names that are not the server's. */
  foreignHosts: 'refused' | 'logged'
  /** Decides which addresses that users name the server may connect to. */
  guard: ConnectionGuard
  /** Those that read what we can't, where they are installed. */
  programs: Programs
  /** Runs the scripts of pages; undefined where there is no browser. */
  renderer: PageRenderer | undefined
  /** Tells apart what reads pages here from what read them before. */
  reader: string
  /** Rings when there is a new source to take in. */
  sourceBell: Bell
  metrics: Metrics
  /** How long and how many request bodies may be on their way. */
  bodyLimits: BodyLimits
  /** The files that are on their way. */
  uploads: UploadDesk
  /** How much each owner may store. */
  quotas: OwnerQuotas
  /** Lets its bearer create the first account; another one at each start. */
  setupCode: string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}
