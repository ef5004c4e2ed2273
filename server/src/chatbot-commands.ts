import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { readSnapshot } from './database/read-snapshot.ts'
import { AppError } from './errors.ts'
import { exportChatbot } from './keeping/export-chatbot.ts'
import { type ImportEmbedder, importChatbot, isMadeBy } from './keeping/import-chatbot.ts'
import { openEmbedder } from './models/embedders.ts'
import { openExisting } from './open-existing.ts'
import { getActiveEmbedder, registerEmbedder } from './search/registered-embedders.ts'
import type { Chatbot } from './store/chatbots.ts'
import { normaliseId } from './store/ids.ts'
import { asOwned, type Owned } from './store/owned.ts'
import { getUserToActFor } from './store/users.ts'

export const CHATBOT_HELP = `  docent export CHATBOT FILE        one chatbot, by uuid or name, with all its sources in one file
      [--force]                     replace a file that is there
                                    docent export "Museum guide" museum.gz
  docent import FILE                make a chatbot of such a file; it gets a uuid of its own
      [--user NAME]                 whose it is (default: the first user)
                                    docent import museum.gz --user maria
`

const OPTIONS = {
  user: { type: 'string' },
  force: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Print = (line: string) => void

/** `docent export` and `docent import`, on the database itself: they work with and without a running server. */
export async function runChatbotCommand(
  config: Config,
  command: 'export' | 'import',
  args: string[],
  print: Print,
): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const { db, close } = await openExisting(config)
  try {
    const result =
      command === 'export'
        ? await runExport(config, positionals, values.force)
        : await runImport(config, db, positionals, values.user)
    print(values.json ? JSON.stringify(result.data) : result.text)
  } finally {
    await close()
  }
}

async function runExport(config: Config, [wanted, given, ...more]: string[], replace: boolean) {
  if (!wanted || !given || more.length > 0) {
    throw new AppError('invalid', 'Give a chatbot and a file: docent export CHATBOT FILE')
  }
  const file = resolve(given)
  if (!replace && existsSync(file)) {
    throw new AppError('conflict', `${file} is there already. Give another name, or --force.`)
  }
  return readSnapshot(config, async (db) => {
    const chatbot = await getNamedChatbot(db, wanted)
    const data = await exportChatbot(db, chatbot, file)
    const size = data.bytes.toLocaleString('en')
    return { text: `"${chatbot.name}" is in ${file} now (${size} bytes, checked).`, data }
  })
}

/** Whoever has the data folder owns everything in it. */
async function getNamedChatbot(db: Database, wanted: string): Promise<Owned<Chatbot>> {
  const found = await db
    .selectFrom('chatbots')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', normaliseId(wanted)), eb('name', '=', wanted)]))
    .execute()
  const [chatbot, ...others] = found
  if (!chatbot) throw new AppError('not_found', `There is no chatbot "${wanted}".`)
  if (others.length > 0) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new AppError('conflict', `Several chatbots are called "${wanted}". Give one of: ${ids}`)
  }
  return asOwned(chatbot)
}

async function runImport(
  config: Config,
  db: Database,
  [given, ...more]: string[],
  userName: string | undefined,
) {
  if (!given || more.length > 0) {
    throw new AppError('invalid', 'Give one file: docent import FILE [--user NAME]')
  }
  const owner = await getUserToActFor(db, userName)
  const embedder = openEmbedder(config.embedder)
  async function chooseEmbedder(vectors: Parameters<typeof isMadeBy>[1]): Promise<ImportEmbedder> {
    const registered = (await getActiveEmbedder(db)) ?? (await registerEmbedder(db, embedder))
    const isNeeded = !isMadeBy(registered, vectors) || vectors.missing > 0
    if (isNeeded && !isMadeBy(registered, { embedder, missing: 0 })) {
      throw new AppError(
        'conflict',
        `Passages are embedded with "${registered.name}" here, and EMBEDDER names "${embedder.name}". Give the import the settings that the server has.`,
      )
    }
    return { registered, embedder }
  }
  try {
    const data = await importChatbot(db, resolve(given), owner, chooseEmbedder)
    const made = `"${data.name}" (${data.uuid}) is ${data.user}'s now: ${data.sources} sources, ${data.passages} passages`
    const embedded = data.embedded === 0 ? '' : `, ${data.embedded} of them embedded anew`
    return { text: `${made}${embedded}.`, data }
  } finally {
    await embedder.close()
  }
}
