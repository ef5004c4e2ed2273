import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { createTemporaryName } from './unfinished-files.ts'

// Format of backups and exports: gzip of a JSON header line, the content, and a last line with the hash of everything
// before it. Any gunzip opens it. Truncated, damaged or changed files are rejected.

const FORMAT = 1
const Header = z.looseObject({
  docent: z.enum(['backup', 'chatbot']),
  format: z.int().positive(),
})
export type Kind = z.infer<typeof Header>['docent']
export type SealedHeader = z.infer<typeof Header>

const READ_BY: Record<Kind, string> = {
  backup: 'a backup. Use "docent restore"',
  chatbot: 'a chatbot. Use "docent import"',
}

const MAX_HEADER_BYTES = 1024 * 1024
const seal = (hash: string) => `\n{"sha256":"${hash}"}\n`
const SEAL_BYTES = seal('0'.repeat(64)).length
// Saves almost as much as higher levels in a third of the time.
const GZIP_LEVEL = 3

/**
 * Writes a sealed file atomically: under a temporary name, and renamed after it is flushed and read back. Its mode is
 * 0600, like that of the data folder's files.
 */
export async function writeSealed(
  file: string,
  kind: Kind,
  about: Record<string, unknown>,
  content: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const partial = createTemporaryName(file, 'partial')
  try {
    const handle = await open(partial, 'wx', 0o600)
    const hash = createHash('sha256')
    async function* parts() {
      const header = Buffer.from(`${JSON.stringify({ docent: kind, format: FORMAT, ...about })}\n`)
      hash.update(header)
      yield header
      for await (const part of content) {
        hash.update(part)
        yield part
      }
      yield Buffer.from(seal(hash.copy().digest('hex')))
    }
    const out = createWriteStream('', { fd: handle })
    await pipeline(Readable.from(parts()), createGzip({ level: GZIP_LEVEL }), out)
    const { content: written } = await openSealed(partial, kind)
    for await (const _ of written);
    const bytes = await flush(partial)
    await rename(partial, file)
    await flushFolder(file)
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

export interface SealedFile {
  header: SealedHeader
  /** Throws at the end unless everything was present and unchanged. */
  content: AsyncIterable<Buffer>
}

/** Rejects files that are not sealed, of another kind, or of a newer format. */
export async function openSealed(file: string, kind: Kind): Promise<SealedFile> {
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`)
  const parts = unpack(file)
  const first = await readHeader(file, parts)
  const header = Header.safeParse(first.header)
  if (!header.success) {
    await parts.return(undefined)
    throw new AppError('conflict', `${file} was not written by Docent.`)
  }
  const { docent, format } = header.data
  if (docent === kind && format === FORMAT) {
    return { header: header.data, content: checked(file, first.bytes, first.rest, parts) }
  }
  await parts.return(undefined)
  if (docent !== kind) throw new AppError('conflict', `${file} contains ${READ_BY[docent]}.`)
  throw isNewer(file)
}

export function isNewer(file: string): AppError {
  return new AppError(
    'conflict',
    `${file} was written by a newer version of Docent. Install that version, or a newer one.`,
  )
}

export function isDamaged(file: string, cause?: unknown): AppError {
  return new AppError(
    'conflict',
    `${file} is damaged or incomplete. Nothing was imported. Use another copy.`,
    { cause },
  )
}

async function* unpack(file: string): AsyncGenerator<Buffer, void> {
  const packed = createReadStream(file)
  const unpacked = createGunzip({ rejectGarbageAfterEnd: true })
  packed.on('error', (error) => unpacked.destroy(error))
  try {
    yield* packed.pipe(unpacked) as AsyncIterable<Buffer>
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_') || code.startsWith('ERR_') ? isDamaged(file, error) : error
  } finally {
    packed.destroy()
  }
}

async function readHeader(file: string, parts: AsyncGenerator<Buffer, void>) {
  let bytes = Buffer.alloc(0)
  while (!bytes.includes('\n')) {
    const { value, done } = await parts.next()
    if (done || bytes.length > MAX_HEADER_BYTES) throw isDamaged(file)
    bytes = Buffer.concat([bytes, value])
  }
  const end = bytes.indexOf('\n') + 1
  try {
    const header: unknown = JSON.parse(bytes.toString('utf8', 0, end))
    return { header, bytes: bytes.subarray(0, end), rest: bytes.subarray(end) }
  } catch (error) {
    throw isDamaged(file, error)
  }
}

/** Holds back the last bytes, because they may be the seal. */
async function* checked(
  file: string,
  header: Buffer,
  first: Buffer,
  parts: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256').update(header)
  let held = first
  try {
    while (true) {
      if (held.length > SEAL_BYTES) {
        const part = held.subarray(0, held.length - SEAL_BYTES)
        hash.update(part)
        held = held.subarray(part.length)
        yield part
      }
      const { value, done } = await parts.next()
      if (done) break
      held = Buffer.concat([held, value])
    }
  } finally {
    await parts.return(undefined)
  }
  if (held.toString('latin1') !== seal(hash.digest('hex'))) throw isDamaged(file)
}

/** Flushes the file and returns its size. */
export async function flush(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  return closing(handle, async () => {
    await handle.sync()
    return (await handle.stat()).size
  })
}

/** Makes the new name survive a power failure. */
export async function flushFolder(file: string): Promise<void> {
  const folder = await open(dirname(file))
  await closing(folder, () => folder.sync())
}

async function closing<T>(handle: FileHandle, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } finally {
    await handle.close()
  }
}
