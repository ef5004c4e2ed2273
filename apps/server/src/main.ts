import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { LiveAnswers } from './answering/live/live-answers.ts'
import { RemoteAnswers } from './answering/live/remote-answers.ts'
import { WaitingPlaces } from './answering/waiting-places.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import {
  lockDataFolder,
  openDataFolder,
  programsFolder,
  uploadsFolder,
} from './database/data-folder.ts'
import { type Database, runInSearchThread } from './database/database.ts'
import { isPostgres, lockKeys } from './database/dialect.ts'
import { openDatabase } from './database/open-database.ts'
import { createUser, hasAccount, listUsers } from './features/accounts/users.store.ts'
import { keepModels } from './features/chatbots/keep-models.store.ts'
import { allowsAnyHost } from './features/chatbots/legacy-host-check.store.ts'
import { interruptRunningMessages } from './features/messages/messages.store.ts'
import { OwnerQuotas } from './features/owners/owner-quotas.ts'
import { openUploadQueue } from './features/sources/receive-upload.ts'
import { removeUploadsFolder } from './features/sources/upload-file.ts'
import { createToken, listTokens } from './features/tokens/tokens.store.ts'
import { BODY_LIMITS, type BodyLimits } from './http/guards/unfinished-bodies.ts'
import { DocumentReader, scanReader } from './ingestion/confined/read-document.ts'
import { ConnectionGuard } from './ingestion/fetch/connection-guard.ts'
import { readingFingerprint } from './ingestion/journey/reading-fingerprint.ts'
import { Programs } from './ingestion/programs/programs.ts'
import { PageRenderer } from './ingestion/render/render-page.ts'
import { Node, shareValue } from './jobs/node.ts'
import { WakeSignal } from './jobs/wake-signal.ts'
import { Metrics } from './metrics.ts'
import { checkProvider } from './models/check-provider.ts'
import { connectProviders } from './models/connect-providers.ts'
import { openEmbedder, reopenEmbedder } from './models/embedding/embedders.ts'
import { Inference } from './models/inference/inference.ts'
import { type LanguageModel, ModelCatalog } from './models/model-catalog.ts'
import { LogStream } from './runtime/log-stream.ts'
import { describeMisspelled } from './runtime/misspelled-settings.ts'
import { openSearchQueue } from './search/open-search-queue.ts'
import { readingStep } from './search/rank-passages.ts'
import { Embeddings } from './search/vectors/embeddings.ts'
import type { Services } from './services.ts'
import { ListQueues } from './sharing/list-queues.ts'
import { RequestTurns } from './sharing/request-turns.ts'
import { UPLOAD_LIMITS, type UploadLimits } from './sharing/upload-places.ts'
import { work } from './worker.ts'

export interface RunningServer {
  /** Empty for a process that does not listen. */
  address: string
  /** Set only on the first start, when there are no tokens yet. */
  firstToken: string | undefined
  /** True while no account can sign in to the console. */
  needsAccount: boolean
  services: Services
  /** Waits for running answers until the grace period ends, stores partial ones, and stops. */
  stop(graceMs?: number): Promise<void>
}

export interface StartOptions {
  listens?: boolean
  /** Tests lower these limits. */
  bodyLimits?: Partial<BodyLimits>
  uploadLimits?: Partial<UploadLimits>
}

export const DEFAULT_GRACE_MS = 10_000
/** After the grace period, how long to wait for the database. */
const LAST_WRITES_MS = 3_000
const STANDARD_ERROR = 2
const NO_PUBLIC_URL =
  'This server accepts any host name because its data is from an earlier version. The next version rejects unknown names. Set PUBLIC_URL to the public URL, such as https://chat.example.org.'

/** Config → database → services → listen and work → stop cleanly. */
export async function startServer(
  config: Config,
  models: LanguageModel[] = [],
  options: StartOptions = {},
): Promise<RunningServer> {
  // Released in reverse order, after a stop and after a failed start.
  const held = new AsyncDisposableStack()
  try {
    return await startHolding(held, config, models, options)
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}

async function startHolding(
  held: AsyncDisposableStack,
  config: Config,
  models: LanguageModel[],
  { listens = true, bodyLimits = {}, uploadLimits = {} }: StartOptions,
): Promise<RunningServer> {
  openDataFolder(config.dataDir)
  held.defer(lockDataFolder(config.dataDir))
  held.defer(() => removeUploadsFolder(uploadsFolder(config.dataDir)))
  const givingUp = new AbortController()
  const database = await openDatabase(config, { givingUp: givingUp.signal })
  held.defer(() => database.close())
  const { db, searchDb, analytics } = database
  const node = isPostgres(db) ? new Node(db) : undefined
  if (node) await node.join()
  else await interruptRunningMessages(db)
  held.defer(() => node?.leave())

  const connected = await connectProviders(config)
  const inference = new Inference()
  held.defer(() => inference.close())
  const embedder = openEmbedder(config.embedder, inference)
  held.defer(() => embedder.close())
  const embeddings = await Embeddings.open(db, embedder, reopenEmbedder)
  held.defer(() => embeddings.close())

  const setupCode = randomBytes(9).toString('base64url')
  const stopping = new AbortController()
  const logStream = new LogStream(STANDARD_ERROR)
  const programs = new Programs({ ...config, folder: programsFolder(config.dataDir) })
  const renderer = config.chromiumPath ? new PageRenderer(config.chromiumPath) : undefined
  const services: Services = {
    config,
    db,
    searchDb,
    searches: openSearchQueue(config),
    analytics,
    log: pino({ level: config.logLevel }, logStream),
    models: new ModelCatalog(config.defaultModel, [...models, ...connected.models], {
      families: connected.families,
      fallbacks: config.modelFallbacks,
    }),
    embeddings,
    inference,
    live: new LiveAnswers(),
    places: new WaitingPlaces(config.maxWaitingAnswers),
    lists: new ListQueues(),
    requestTurns: new RequestTurns(),
    node,
    remote: node && new RemoteAnswers(db),
    documents: DocumentReader.open(),
    scans: scanReader(),
    foreignHosts:
      config.publicUrls.length === 0 && (await allowsAnyHost(db)) ? 'logged' : 'refused',
    guard: new ConnectionGuard(config),
    programs,
    renderer,
    readingFingerprint: readingFingerprint({ programs, renderer }),
    sourceWakeSignal: new WakeSignal(),
    metrics: new Metrics(),
    bodyLimits: { ...BODY_LIMITS, ...bodyLimits },
    uploads: openUploadQueue(uploadsFolder(config.dataDir), { ...UPLOAD_LIMITS, ...uploadLimits }),
    quotas: new OwnerQuotas(analytics, config.quotaPerOwner),
    setupCode: node ? await shareValue(db, 'setup code', setupCode) : setupCode,
    stopping: stopping.signal,
  }
  // Only if listening: a pure worker may lack the models' settings.
  if (listens) await keepModels(db, services.models.defaultName)
  // Load the search thread's modules now, before an upgrade replaces the files.
  const nothing = { chatbotId: '', wordings: [{ text: '', share: 1, vector: undefined }], limit: 1 }
  await runInSearchThread(searchDb, readingStep, nothing)
  const app = buildApp(services)
  let working: Promise<void> = Promise.resolve()

  async function stop(graceMs = DEFAULT_GRACE_MS): Promise<void> {
    stopping.abort()
    const lastWrites = setTimeout(() => givingUp.abort(), graceMs + LAST_WRITES_MS)
    await services.live.drain(graceMs)
    await app.close()
    // Sources in work go back to the queue for the next start.
    await Promise.all([services.documents.close(), services.scans.close()])
    await working
    services.programs.close()
    await held.disposeAsync()
    clearTimeout(lastWrites)
    logStream.close()
  }
  let stopped: Promise<void> | undefined
  const stopOnce: RunningServer['stop'] = (graceMs) => {
    stopped ??= stop(graceMs)
    return stopped
  }

  try {
    const address = listens ? await listen(app, config) : ''
    for (const { port } of app.addresses() as AddressInfo[]) services.guard.listensOn(port)
    working = work(services, stopping.signal)
    // Create the token only after everything started. A failed start would never show it.
    const firstToken = listens ? await createFirstToken(db) : undefined
    for (const one of config.misspelt)
      services.log.warn({ setting: one.given }, describeMisspelled(one))
    void nameProviderProblems(services)
    if (listens && services.foreignHosts === 'logged') services.log.warn(NO_PUBLIC_URL)
    const needsAccount = !(await hasAccount(db))
    return { address, firstToken, needsAccount, services, stop: stopOnce }
  } catch (error) {
    await stopOnce(0)
    throw error
  }
}

/** Runs in the background: a provider that is down now may be up when needed. */
async function nameProviderProblems({ config, log }: Services): Promise<void> {
  for (const { provider, problem } of await Promise.all(config.providers.map(checkProvider))) {
    if (problem) log.error({ provider }, problem)
    else log.info({ provider }, 'provider is ready')
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ port, host })
  } catch (error) {
    throw listenFailed(error, host, port)
  }
}

function listenFailed(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Error(`The port ${port} on ${host} is in use. Set PORT to another one.`)
    case 'EACCES':
      return new Error(`This user cannot listen on port ${port}. Set PORT to another one.`)
    // A link-local address without its interface.
    case 'EINVAL':
      return new Error(
        `The server cannot listen on ${host}. Add its interface, such as ${host}%eth0, or set HOST to another address.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is not an address of this machine. Set HOST to another one.`)
    default:
      return error
  }
}

/** If several nodes start together, one creates the token. */
function createFirstToken(db: Database): Promise<string | undefined> {
  if (!isPostgres(db)) return createTokenIfNone(db)
  return db.transaction().execute(async (db) => {
    for (const { query } of lockKeys(db, ['first token'])) await db.executeQuery(query)
    return createTokenIfNone(db)
  })
}

async function createTokenIfNone(db: Database): Promise<string | undefined> {
  if ((await listTokens(db)).length > 0) return undefined
  const owner = (await listUsers(db))[0] ?? (await createUser(db, 'owner'))
  const { token } = await createToken(db, { userId: owner.id, name: 'first token' })
  return token
}
