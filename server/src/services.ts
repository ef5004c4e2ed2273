import type { FastifyBaseLogger } from 'fastify'
import type { LiveAnswers } from './answering/live-answers.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { DocumentReader } from './ingestion/read-document.ts'
import type { PageRenderer } from './ingestion/render/render-page.ts'
import type { Bell } from './jobs/bell.ts'
import type { Metrics } from './metrics.ts'
import type { ModelCatalogue } from './models/catalogue.ts'

/** Everything that a route or a job may reach. Built once in main.ts, and by each test. */
export interface Services {
  config: Config
  db: Database
  /** For reading that may take milliseconds: on SQLite it has a thread of its own. */
  searchDb: Database
  log: FastifyBaseLogger
  models: ModelCatalogue
  live: LiveAnswers
  documents: DocumentReader
  /** Runs the scripts of pages; undefined where there is no browser. */
  renderer: PageRenderer | undefined
  /** Rings when there is a new source to take in. */
  sourceBell: Bell
  metrics: Metrics
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}
