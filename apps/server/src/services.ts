import type { FastifyBaseLogger } from 'fastify'
import type { LiveAnswers } from './answering/live/live-answers.ts'
import type { RemoteAnswers } from './answering/live/remote-answers.ts'
import type { WaitingPlaces } from './answering/waiting-places.ts'
import type { Config } from './config.ts'
import type { Analytics } from './database/analytics.ts'
import type { Database } from './database/database.ts'
import type { OwnerQuotas } from './features/owners/owner-quotas.ts'
import type { UploadQueue } from './features/sources/receive-upload.ts'
import type { BodyLimits } from './http/guards/unfinished-bodies.ts'
import type { DocumentReader } from './ingestion/confined/read-document.ts'
import type { ConnectionGuard } from './ingestion/fetch/connection-guard.ts'
import type { Programs } from './ingestion/programs/programs.ts'
import type { PageRenderer } from './ingestion/render/render-page.ts'
import type { Node } from './jobs/node.ts'
import type { WakeSignal } from './jobs/wake-signal.ts'
import type { Metrics } from './metrics.ts'
import type { Inference } from './models/inference/inference.ts'
import type { ModelCatalog } from './models/model-catalog.ts'
import type { Embeddings } from './search/vectors/embeddings.ts'
import type { FairQueue } from './sharing/fair-queue.ts'
import type { ListQueues } from './sharing/list-queues.ts'
import type { RequestTurns } from './sharing/request-turns.ts'

/** Everything that routes and jobs share. Built once in main.ts, and by each test. */
export interface Services {
  config: Config
  db: Database
  /** For reads that may take milliseconds. On SQLite it has its own thread. */
  searchDb: Database
  /** Owners take turns at searching. */
  searches: FairQueue
  /** For reads that may take seconds: reports, lists of conversations. On SQLite it has its own thread. */
  analytics: Analytics
  log: FastifyBaseLogger
  models: ModelCatalog
  embeddings: Embeddings
  /** The process that runs the built-in models. */
  inference: Inference
  live: LiveAnswers
  /** For questions whose answer has no text yet. */
  places: WaitingPlaces
  lists: ListQueues
  requestTurns: RequestTurns
  /** This process as a node on PostgreSQL. Undefined on SQLite, which has only one process. */
  node: Node | undefined
  /** Access to answers that run on other nodes. */
  remote: RemoteAnswers | undefined
  documents: DocumentReader
  /** A second reader, for documents that need OCR. */
  scans: DocumentReader
  /** How to treat requests for unknown host names. */
  foreignHosts: 'refused' | 'logged'
  /** Decides which addresses named by users the server may connect to. */
  guard: ConnectionGuard
  /** Optional converters, such as LibreOffice and Tesseract. */
  programs: Programs
  /** Runs the scripts of pages. Undefined without a browser. */
  renderer: PageRenderer | undefined
  /** Digest of the code and tools that read pages. If it changes, pages are read again. */
  readingFingerprint: string
  /** Wakes workers when there is a new source. */
  sourceWakeSignal: WakeSignal
  metrics: Metrics
  /** Limits for request bodies that are still arriving. */
  bodyLimits: BodyLimits
  /** Uploads in progress. */
  uploads: UploadQueue
  /** Storage limits of each owner. */
  quotas: OwnerQuotas
  /** Allows creating the first account. It changes at each start. */
  setupCode: string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}
