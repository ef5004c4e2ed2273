import type { FastifyBaseLogger } from 'fastify'
import type { LiveAnswers } from './answering/live-answers.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { DocumentReader } from './ingestion/read-document.ts'
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
  /** Rings when there is a new source to take in. */
  sourceBell: Bell
  metrics: Metrics
  /** Lets its bearer create the first account from another machine; another one at each start. */
  setupCode: string
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}
