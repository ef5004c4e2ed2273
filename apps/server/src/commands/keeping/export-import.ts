import { resolve } from 'node:path'
import { normalizeId } from '@docent/contract/field.ts'
import { sql } from 'kysely'
import { type Config, readConfig } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { readSnapshot } from '../../database/read-snapshot.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import { AppError } from '../../errors.ts'
import { getUserToActFor } from '../../features/accounts/users.store.ts'
import type { Chatbot } from '../../features/chatbots/chatbots.store.ts'
import { DELETED_OWNER_ID } from '../../features/owners/deleted-chatbots.store.ts'
import { exportChatbot } from '../../keeping/chatbot-files/export-chatbot.ts'
import {
  type GivenVectors,
  type ImportEmbedder,
  type Imported,
  importChatbot,
  isMadeBy,
} from '../../keeping/chatbot-files/import-chatbot.ts'
import {
  adviseOnUnfinished,
  type NamedChatbot,
  UNFINISHED_IMPORTS,
} from '../../keeping/chatbot-files/unfinished-imports.ts'
import { refuseExisting, removeTemporaryFiles } from '../../keeping/unfinished-files.ts'
import { connectProviders } from '../../models/connect-providers.ts'
import type { Embedder } from '../../models/embedding/embedder.ts'
import { openEmbedder } from '../../models/embedding/embedders.ts'
import { ModelCatalog } from '../../models/model-catalog.ts'
import { getActiveEmbedder, registerEmbedder } from '../../search/vectors/registered-embedders.ts'
import { type Invocation, UsageError } from '../command.ts'
import { openExisting } from '../server/open-existing.ts'
import { unlessInterrupted } from '../terminal.ts'

/** `docent export` and `docent import` use the database directly, with or without a running server. */
export async function runExport({ args, switches, environment, print }: Invocation) {
  const [wanted, given, ...more] = args
  if (!wanted || !given || more.length > 0) {
    throw new UsageError('Give a chatbot and a file: docent export CHATBOT FILE')
  }
  const file = resolve(given)
  if (!switches.force) refuseExisting(file)
  const config = readConfig(environment)
  // Brings the schema up to date.
  await (await openExisting(config)).close()
  await readSnapshot(config, async (db) => {
    const chatbot = await getNamedChatbot(db, wanted)
    const made = await unlessInterrupted(exportChatbot(db, chatbot, file), removeTemporaryFiles)
    const size = made.bytes.toLocaleString('en')
    print(made, `Exported "${chatbot.name}" to ${file} (${size} bytes, verified).`)
  })
}

/** Access to the data folder gives ownership of everything in it. */
async function getNamedChatbot(db: Database, wanted: string): Promise<Owned<Chatbot>> {
  const found = await db
    .selectFrom('chatbots')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', normalizeId(wanted)), eb('name', '=', wanted)]))
    .where('owner_id', '!=', DELETED_OWNER_ID)
    .execute()
  const [chatbot, ...others] = found
  if (!chatbot) throw new AppError('not_found', `There is no chatbot "${wanted}".`)
  if (others.length > 0) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new AppError(
      'conflict',
      `Several chatbots are named "${wanted}". Give one of these UUIDs: ${ids}`,
    )
  }
  return asOwned(chatbot)
}

export async function runImport({ args, values, environment, terminal, print }: Invocation) {
  const [file, ...more] = args
  if (!file || more.length > 0) {
    throw new UsageError('Give one file: docent import FILE [--user NAME]')
  }
  const config = readConfig(environment)
  const { db, close } = await openExisting(config)
  const embedder = openEmbedder(config.embedder)
  try {
    const owner = await getUserToActFor(db, values.user)
    const rules = { models: await openCatalogue(config), maxUploadBytes: config.maxUploadBytes }
    const made = await importChatbot(db, resolve(file), owner, rules, (vectors) =>
      chooseEmbedder(db, embedder, vectors),
    )
    const said = `Imported "${made.name}" (${made.uuid}) for ${made.user}: ${made.sources} sources, ${made.passages} passages`
    const embedded = made.embedded === 0 ? '' : `, ${made.embedded} of them embedded again`
    print(made, `${said}${embedded}. ${describeLimits(made)}`)
    const { rows } = await sql.raw<NamedChatbot>(UNFINISHED_IMPORTS).execute(db)
    const advice = adviseOnUnfinished(rows)
    if (advice) terminal.note(advice)
  } finally {
    await embedder.close()
    await close()
  }
}

function describeLimits({ visibility_before: before, unknown_model: model }: Imported): string {
  const was = before === 'private' ? '' : ` It was ${before} on the original server.`
  const answers =
    model === null ? '' : ` This server has no model "${model}", so its default model answers.`
  return `It is private until its owner changes its visibility.${was}${answers}`
}

/** The models that chatbots on this server may name. */
async function openCatalogue(config: Config): Promise<ModelCatalog> {
  const { models, families } = await connectProviders(config)
  return new ModelCatalog(config.defaultModel, models, { families })
}

/** Chooses the active embedder. An import never changes the embedder. */
async function chooseEmbedder(
  db: Database,
  embedder: Embedder,
  vectors: GivenVectors,
): Promise<ImportEmbedder> {
  const registered = (await getActiveEmbedder(db)) ?? (await registerEmbedder(db, embedder))
  const isNeeded = !isMadeBy(registered, vectors) || vectors.missing > 0
  if (isNeeded && !isMadeBy(registered, { embedder, missing: 0 })) {
    throw new AppError(
      'conflict',
      `The server embeds passages with "${registered.name}", but EMBEDDER is "${embedder.name}". Run the import with the settings of the server.`,
    )
  }
  return { registered, embedder }
}
