import { isNotEnglish } from '@docent/text/analyze-text.ts'
import type { Database } from '../../database/database.ts'
import { BUILT_IN_NAME } from '../../models/embedding/built-in-constants.ts'
import type { Embedder } from '../../models/embedding/embedder.ts'
import { signsOfBytes, toBytes, toSigns } from '../../models/embedding/vectors.ts'
import { passageIndex } from '../index/choose-index.ts'
import { OTHER_LANGUAGE_WEIGHT } from '../ranking/weights.ts'
import {
  activateEmbedder,
  countVectors,
  findUnembedded,
  getActiveEmbedder,
  registerEmbedder,
} from './registered-embedders.ts'
import type { PassageVector, QuestionVector, RegisteredEmbedder } from './text-vectors.ts'

interface EmbeddedText {
  lead: string
  text: string
  isPair: boolean
}

// Small batches let other sources and questions take turns in between.
const BATCH = 8
const REFILL_BATCH = 64
const MAX_KEPT = 500
// Owner key in the fair queue for refilling, because the passages belong to many owners.
const OF_ALL = ''

/**
 * Holds the configured embedder and the active embedder, whose vectors are searched. They differ only while a new
 * embedder takes over. The old embedder serves until the new one has embedded every passage, if it can still be opened.
 */
export class Embeddings {
  readonly #db: Database
  readonly #embedder: Embedder
  /** The embedder for new passages. */
  readonly registered: RegisteredEmbedder
  readonly #old: Embedder | undefined
  readonly #kept = new Map<string, QuestionVector>()
  #active: RegisteredEmbedder
  #hasGaps: boolean

  private constructor(
    db: Database,
    embedder: Embedder,
    registered: RegisteredEmbedder,
    active: RegisteredEmbedder,
    old: Embedder | undefined,
    hasGaps: boolean,
  ) {
    this.#db = db
    this.#embedder = embedder
    this.registered = registered
    this.#active = active
    this.#old = old
    this.#hasGaps = hasGaps
  }

  /** `reopen` opens an embedder by its registered name, or returns undefined if it no longer can. */
  static async open(
    db: Database,
    embedder: Embedder,
    reopen: (name: string) => Embedder | undefined,
  ): Promise<Embeddings> {
    const registered = await registerEmbedder(db, embedder)
    let active = await getActiveEmbedder(db)
    const isOther = active !== undefined && active.id !== registered.id
    if (!active || !isOther || (await countVectors(db, active)).embedded === 0) {
      await activateEmbedder(db, registered)
      active = registered
    }
    const old = active.id === registered.id ? undefined : reopen(active.name)
    // Passages arrived while another embedder was configured, or a change of dimensions dropped all vectors.
    const { passages, embedded } = await countVectors(db, registered)
    return new Embeddings(db, embedder, registered, active, old, embedded < passages)
  }

  /** Returns undefined if the active embedder cannot be opened. */
  async embedQuestion(text: string, ownerId: string): Promise<QuestionVector | undefined> {
    const embedder = this.#active.id === this.registered.id ? this.#embedder : this.#old
    if (!embedder) return undefined
    const kept = this.#kept.get(text)
    if (kept && kept.embedder.id === this.#active.id) return kept
    const active = this.#active
    const vector = await embedder.embedQuestion(text, ownerId)
    const isBuiltIn = active.name === BUILT_IN_NAME
    const most = isBuiltIn && isNotEnglish(text) ? OTHER_LANGUAGE_WEIGHT : 1
    const isUnderstood = embedder.understands(text)
    const embedded: QuestionVector = {
      embedder: active,
      vector,
      signs: toSigns(vector),
      understood: isUnderstood ? most : 0,
      nearness: isUnderstood ? (isBuiltIn ? 'known' : 'unknown') : 'none',
    }
    if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(text, embedded)
    return embedded
  }

  embedPassages(
    passages: EmbeddedText[],
    ownerId: string,
    signal?: AbortSignal,
  ): Promise<PassageVector[]> {
    return embedWith(this.#embedder, passages, ownerId, signal)
  }

  get isRefilling(): boolean {
    return this.#hasGaps || this.#active.id !== this.registered.id
  }

  /** Embeds one batch of passages that lack a vector. Activates the new embedder once none are left. */
  async refillSome(signal: AbortSignal): Promise<void> {
    const passages = await findUnembedded(this.#db, this.registered, REFILL_BATCH)
    if (passages.length === 0) {
      await activateEmbedder(this.#db, this.registered)
      this.#active = this.registered
      this.#hasGaps = false
      await this.#old?.close()
      return
    }
    const vectors = await this.embedPassages(passages, OF_ALL, signal)
    const rows = vectors.map((vector, i) => ({ id: passages[i]!.id, ...vector }))
    await passageIndex(this.#db).addVectors(this.#db, this.registered, rows)
  }

  /** Checks whether another node has finished the refill, or added passages without a vector of this embedder. */
  async look(): Promise<void> {
    const active = await getActiveEmbedder(this.#db)
    const { passages, embedded } = await countVectors(this.#db, this.registered)
    this.#hasGaps = embedded < passages
    if (active?.id !== this.registered.id || this.#active.id === active.id) return
    this.#active = this.registered
    await this.#old?.close()
  }

  /** Reports how many passages the embedder for new passages has embedded. */
  async progress() {
    const { passages, embedded } = await countVectors(this.#db, this.registered)
    return { embedder: this.registered.name, active: this.#active.name, passages, embedded }
  }

  async close(): Promise<void> {
    await Promise.all([this.#embedder.close(), this.#old?.close()])
  }
}

export async function embedWith(
  embedder: Embedder,
  passages: EmbeddedText[],
  ownerId: string,
  signal?: AbortSignal,
): Promise<PassageVector[]> {
  const vectors: PassageVector[] = []
  for (let i = 0; i < passages.length; i += BATCH) {
    signal?.throwIfAborted()
    const texts = passages.slice(i, i + BATCH).map(textToEmbed)
    for (const vector of await unlessAborted(embedder.embedPassages(texts, ownerId), signal))
      vectors.push(describeVector(toBytes(vector)))
  }
  return vectors
}

/** Takes the stored bytes of a vector. */
export function describeVector(bytes: Uint8Array): PassageVector {
  return { vector: toHex(bytes), signs: toHex(signsOfBytes(bytes)) }
}

/** An endpoint that does not respond must not keep the server from stopping. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Embeds only the question of a pair. With the answer included, different questions would look equally near. */
function textToEmbed({ lead, text, isPair }: EmbeddedText): string {
  if (isPair) return lead
  return lead === '' ? text : `${lead}\n${text}`
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
