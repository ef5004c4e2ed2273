import { wordsOfPassage } from '@docent/text/passage-words.ts'
import type { RawBuilder } from 'kysely'
import { type Database, runAtomically, type UnitStatement } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { fromNow, isPostgres } from '../../database/dialect.ts'
import { newId, newIdOf } from '../../database/rows/ids.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import { PackedText } from '../../database/rows/packed-text.ts'
import { AppError } from '../../errors.ts'
import type { User } from '../../features/accounts/users.store.ts'
import {
  type Chatbot,
  type ChatbotSettings,
  deleteChatbot,
} from '../../features/chatbots/chatbots.store.ts'
import { eraseHiddenChatbots } from '../../features/chatbots/erase-chatbots.store.ts'
import { insertRevision } from '../../features/sources/revisions.store.ts'
import type { Embedder } from '../../models/embedding/embedder.ts'
import { passageIndex } from '../../search/index/choose-index.ts'
import { describeVector, embedWith } from '../../search/vectors/embeddings.ts'
import type { PassageVector, RegisteredEmbedder } from '../../search/vectors/text-vectors.ts'
import type { EmbedderName, Line, PassagesLine, RevisionLine, SourceLine } from './chatbot-file.ts'
import { FieldChecker, type FieldRules, knownModel } from './check-fields.ts'
import { readChatbotFile } from './read-chatbot-file.ts'
import { UNFINISHED } from './unfinished-imports.ts'

export interface ImportEmbedder {
  /** The embedder that searches use here. */
  registered: RegisteredEmbedder
  /** Embeds the passages without a vector. With another embedder's vectors, these are all passages. */
  embedder: Embedder
}

export interface Imported {
  uuid: string
  name: string
  user: string
  /** An import stays private until its owner changes that. */
  visibility: 'private'
  /** The visibility in the file. */
  visibility_before: ChatbotSettings['visibility']
  /** The model in the file if this server does not have it. The server's default then answers. */
  unknown_model: string | null
  sources: number
  passages: number
  /** Passages that were embedded here. */
  embedded: number
}

/**
 * Creates a chatbot from a file, with new ids. The whole file is checked before the first write. Writes are small
 * steps, so that a running server can continue. The chatbot has a temporary name until the last step, and is deleted
 * after a failure. "docent doctor" reports what a killed import leaves. The import is always private: the author of a
 * file must not decide what visitors of this server see.
 */
export async function importChatbot(
  db: Database,
  file: string,
  owner: User,
  rules: FieldRules,
  chooseEmbedder: (given: GivenVectors) => Promise<ImportEmbedder>,
): Promise<Imported> {
  const given = await checkChatbotFile(file, rules)
  const embedder = await chooseEmbedder(given)
  const { lines } = await readChatbotFile(file)
  const usesVectors = isMadeBy(embedder.registered, given)
  const importing = new Importing(db, owner, rules, embedder, usesVectors)
  try {
    for await (const line of lines) await importing.take(line)
    return await importing.finish()
  } catch (error) {
    await importing.undo()
    if (isForeignKeyViolation(error)) {
      throw new AppError('conflict', 'The chatbot or its user was deleted during the import.')
    }
    throw error
  }
}

export interface GivenVectors {
  embedder: EmbedderName | null
  /** How many passages have no vector. */
  missing: number
}

/** Vectors of another embedder or another length can't be compared with ours. */
export function isMadeBy(registered: EmbedderName, { embedder }: GivenVectors): boolean {
  return embedder?.name === registered.name && embedder.dimensions === registered.dimensions
}

/** Throws unless the whole file is unchanged and valid by the API's rules. */
async function checkChatbotFile(file: string, rules: FieldRules): Promise<GivenVectors> {
  const { embedder, lines } = await readChatbotFile(file, new FieldChecker(rules))
  let missing = 0
  for await (const line of lines) {
    if (!('passages' in line)) continue
    missing += line.passages.list.filter(([, , , , vector]) => vector === null).length
  }
  return { embedder, missing }
}

type StoredSource = { id: string; chatbot_id: string; claim_id: null }

class Importing {
  readonly #db: Database
  readonly #owner: User
  readonly #rules: FieldRules
  readonly #embedder: ImportEmbedder
  readonly #usesVectors: boolean
  #chatbot: Owned<Chatbot> | undefined
  #final: Partial<Chatbot> = {}
  #told: Pick<Imported, 'visibility' | 'visibility_before' | 'unknown_model'> | undefined
  #source: StoredSource | undefined
  #isPair = false
  #fileParts: Buffer[] = []
  #revision: RevisionLine | undefined
  /** The build of each page, and where its last passage ends. */
  #builds = new Map<string, { id: string; end: number }>()
  #refreshes: { id: string; due_at: number }[] = []
  #counts = { sources: 0, passages: 0, embedded: 0 }

  constructor(
    db: Database,
    owner: User,
    rules: FieldRules,
    embedder: ImportEmbedder,
    usesVectors: boolean,
  ) {
    this.#db = db
    this.#owner = owner
    this.#rules = rules
    this.#embedder = embedder
    this.#usesVectors = usesVectors
  }

  async take(line: Line): Promise<void> {
    if (!('file' in line)) await this.#writeFile()
    if ('chatbot' in line) await this.#begin(line.chatbot)
    else if ('source' in line) await this.#addSource(line.source)
    else if ('file' in line) this.#fileParts.push(Buffer.from(line.file, 'base64'))
    else if ('revision' in line) await this.#addRevision(line.revision)
    else if ('passages' in line) await this.#addPassages(line.passages)
    else await this.#addOfSite(line)
  }

  async #begin({
    widget,
    settings,
    answering = {},
    ...given
  }: Extract<Line, { chatbot: unknown }>['chatbot']) {
    const known = knownModel(this.#rules.models, given.model)
    const chatbot: Chatbot = {
      id: newIdOf(given.created_at),
      owner_id: this.#owner.id,
      ...given,
      model: known ?? this.#rules.models.defaultName,
      settings: JSON.stringify({ ...settings, visibility: 'private' }),
      answering: JSON.stringify(answering),
      name: given.name + UNFINISHED,
    }
    this.#chatbot = asOwned(chatbot)
    this.#final = { name: given.name, modified_at: given.modified_at }
    this.#told = {
      visibility: 'private',
      visibility_before: settings.visibility,
      unknown_model: known === null ? given.model : null,
    }
    const statements = [this.#db.insertInto('chatbots').values(chatbot).compile()]
    if (widget) {
      const row = { chatbot_id: chatbot.id, settings: JSON.stringify(widget) }
      statements.push(this.#db.insertInto('widgets').values(row).compile())
    }
    await this.#write(statements.map((query) => ({ query })))
  }

  async #addSource({ meta, title_chosen, due_at, ...given }: SourceLine): Promise<void> {
    const { id: chatbot_id, owner_id } = this.#chatbot!
    this.#source = { id: newId(), chatbot_id, claim_id: null }
    this.#isPair = given.type === 'qa'
    this.#builds = new Map()
    this.#counts.sources += 1
    if (due_at !== null) this.#refreshes.push({ id: this.#source.id, due_at })
    const row = {
      ...this.#source,
      ...given,
      owner_id,
      title_chosen: title_chosen ? 1 : 0,
      meta: JSON.stringify(meta),
      // No worker may claim it before it is complete.
      due_at: null,
    }
    await this.#db.insertInto('sources').values(row).execute()
  }

  async #writeFile(): Promise<void> {
    if (this.#fileParts.length === 0) return
    const content = Buffer.concat(this.#fileParts)
    this.#fileParts = []
    const row = { source_id: this.#source!.id, content }
    await this.#db.insertInto('source_files').values(row).execute()
  }

  async #addRevision(revision: RevisionLine): Promise<void> {
    this.#revision = revision
    const text = PackedText.of(revision.text)
    const added = { ...revision, text }
    await this.#write(insertRevision(this.#db, this.#source!.id, added, revision.created_at))
  }

  async #addPassages({ page_url, position, list }: PassagesLine): Promise<void> {
    const { text, hash } = this.#revision!
    const build = this.#builds.get(page_url) ?? { id: newId(), end: 0 }
    this.#builds.set(page_url, build)
    const cut = list.map(([start, end, lead, page, vector], i) => {
      const before = position + i === 0 ? start : (list[i - 1]?.[1] ?? build.end)
      const piece = text.slice(start, end)
      return {
        start,
        end,
        lead,
        ...(page !== null && { page }),
        given: vector,
        gap: text.slice(before, start),
        text: piece,
        words: wordsOfPassage(lead, piece),
        isPair: this.#isPair,
      }
    })
    build.end = list.at(-1)![1]
    const vectors = await this.#vectorsOf(cut)
    const passages = cut.map((passage, i) => ({ ...passage, ...vectors[i]! }))
    const { registered } = this.#embedder
    const place = { id: build.id, source: this.#source!, pageUrl: page_url }
    const batch = { from: position, passages }
    await this.#write(
      passageIndex(this.#db).insertPassages(this.#db, registered, place, hash, batch),
    )
    this.#counts.passages += list.length
  }

  /** Uses the given vectors and embeds the missing ones. */
  async #vectorsOf(
    passages: { given: string | null; lead: string; text: string; isPair: boolean }[],
  ): Promise<PassageVector[]> {
    const given = (vector: string | null) => (this.#usesVectors ? vector : null)
    const missing = passages.filter((passage) => given(passage.given) === null)
    const { embedder } = this.#embedder
    const made = missing.length === 0 ? [] : await embedWith(embedder, missing, this.#owner.id)
    this.#counts.embedded += made.length
    return passages.map((passage) => {
      const vector = given(passage.given)
      return vector === null ? made.shift()! : describeVector(Buffer.from(vector, 'base64'))
    })
  }

  async #addOfSite(line: Exclude<Line, { chatbot: unknown } | { file: string }>): Promise<void> {
    const db = this.#db
    const source_id = this.#source!.id
    if ('page' in line)
      await db
        .insertInto('source_pages')
        .values({ source_id, ...line.page })
        .execute()
    else if ('visit' in line)
      await db
        .insertInto('source_visits')
        // Another version may have read it there.
        .values({ source_id, ...line.visit, reader: '' })
        .execute()
    else if ('sitemap' in line)
      await db
        .insertInto('source_sitemaps')
        .values({ source_id, ...line.sitemap })
        .execute()
  }

  async finish(): Promise<Imported> {
    await this.#writeFile()
    const db = this.#db
    const { id } = this.#chatbot!
    const due = (due_at: number | RawBuilder<number>) => db.updateTable('sources').set({ due_at })
    const waiting = due(fromNow(db)).where('chatbot_id', '=', id).where('status', '=', 'await')
    const renamed = db
      .updateTable('chatbots')
      .set(this.#final)
      .where('id', '=', id)
      .where('owner_id', '=', this.#owner.id)
    const isThere = await runAtomically(db, [
      { query: renamed.returning('id').compile(), mustReturn: true },
      { query: waiting.compile() },
      ...this.#refreshes.map((one) => ({
        query: due(one.due_at).where('id', '=', one.id).compile(),
      })),
    ])
    if (!isThere) throw new AppError('conflict', 'The chatbot was deleted during the import.')
    const { name } = this.#final
    return { uuid: id, name: name!, user: this.#owner.name, ...this.#told!, ...this.#counts }
  }

  async undo(): Promise<void> {
    if (!this.#chatbot) return
    await deleteChatbot(this.#db, this.#chatbot)
    // PostgreSQL nodes erase by themselves, and a second eraser would conflict with them.
    if (!isPostgres(this.#db)) await eraseHiddenChatbots(this.#db)
  }

  async #write(statements: UnitStatement[]): Promise<void> {
    await runAtomically(this.#db, statements)
  }
}
