import { detectKind, isBinaryName } from '@docent/extract/detect/detect-kind.ts'
import { inEnglish } from '@docent/extract/failure-in-english.ts'
import { decodeEncodedWords } from '@docent/extract/mail/mail-part.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { storageFailure } from '../../database/storage-fault.ts'
import { AppError, invalid } from '../../errors.ts'
import { sendContinue } from '../../http/expect-continue.ts'
import { isReadable } from '../../ingestion/programs/convert-presentation.ts'
import type { Programs } from '../../ingestion/programs/programs.ts'
import { FairQueue } from '../../sharing/fair-queue.ts'
import { type UploadLimits, UploadPlaces } from '../../sharing/upload-places.ts'
import type { SourceMeta } from './sources.store.ts'
import { ReceivedFile, removeUploadsFolder } from './upload-file.ts'

const MEGABYTE = 1024 * 1024
const TOO_LARGE = 'FST_REQ_FILE_TOO_LARGE'
const ALLOWED_TYPES =
  'PDF, DOCX, PPTX, XLSX, DOC, XLS, ODT, ODS, ODP, RTF, EPUB, HTML, Markdown, TXT, CSV, TSV, JSON, XML, EML, MSG, SRT, VTT or source code'

const MAX_LINK_LENGTH = 2_048
/** For parts that are not files: those are held in memory. */
const MAX_FIELD_BYTES = 16 * 1024
/** Files up to this size skip the queue: all of them together take little memory. */
const SMALL = MEGABYTE

export interface Upload {
  file: { name: string; content: Uint8Array }
  meta: SourceMeta
}

/** Holds files until they have fully arrived. Created once per server. */
export interface UploadQueue {
  folder: string
  places: UploadPlaces
  /** Loads large files into memory one at a time. */
  turns: FairQueue
}

interface UploadServices {
  config: Pick<Config, 'maxUploadBytes'>
  programs: Programs
  uploads: UploadQueue
}

export function openUploadQueue(folder: string, limits: UploadLimits): UploadQueue {
  removeUploadsFolder(folder)
  return { folder, places: new UploadPlaces(limits), turns: new FairQueue({ atOnce: 1 }) }
}

/**
 * Receives the part named `file`, checks it and stores it. Keeps `reference_source_link` for citations and ignores
 * other parts. Reads nothing of the body before there is a place for it.
 */
export async function receiveUpload<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, programs, uploads: { folder, places, turns } }: UploadServices,
  store: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_type',
      'Send the file as multipart/form-data in a part named "file".',
    )
  }
  const giveBack = await places.take(request.caller, request.signal)
  try {
    sendContinue(request, reply)
    await using received = await ReceivedFile.open(folder).catch((error) => {
      throw storageFailure(error) ?? error
    })
    const { name, link } = await readForm(request, received, config.maxUploadBytes)
    const meta: SourceMeta = isWebLink(link) ? { reference_source_link: link } : {}
    const storeIt = async () => {
      const file = { name, content: await received.read() }
      requireReadable(file, programs)
      return store({ file, meta })
    }
    if (received.size <= SMALL) return await storeIt()
    return await turns.run(request.caller.userId, storeIt)
  } finally {
    giveBack()
  }
}

/** Citations show it as a link, so only a complete web address is accepted. */
function isWebLink(link: string): boolean {
  return link.length <= MAX_LINK_LENGTH && /^https?:$/.test(URL.parse(link)?.protocol ?? '')
}

function requireReadable({ name, content }: Upload['file'], programs: Programs): void {
  const kind = isBinaryName(name) ? undefined : detectKind(content, name)
  if (!kind) throw new AppError('unsupported_type', `file type not allowed: send ${ALLOWED_TYPES}.`)
  if (!isReadable(programs, kind)) {
    const saveAnew = inEnglish({ code: 'old_office' })
    throw new AppError('old_office', `file type not allowed: ${saveAnew}`)
  }
}

async function readForm(
  request: FastifyRequest,
  received: ReceivedFile,
  maxBytes: number,
): Promise<{ name: string; link: string }> {
  const form: Form = { name: undefined, link: '', isWriting: false }
  const { promise: endless, stop } = detectUnterminatedForm(request, form)
  try {
    await Promise.race([readParts(request, form, received, maxBytes), endless])
  } catch (error) {
    throw uploadFailed(error, maxBytes)
  } finally {
    stop()
  }
  const { name, link } = form
  if (name === undefined) throw invalidFile('is required as a part with a file name', 'missing')
  if (name === '') throw invalidFile('must have a file name', 'file_name')
  return { name, link }
}

interface Form {
  /** Set once the file has arrived. */
  name: string | undefined
  link: string
  isWriting: boolean
}

async function readParts(
  request: FastifyRequest,
  form: Form,
  received: ReceivedFile,
  maxBytes: number,
): Promise<void> {
  const limits = { fileSize: maxBytes, files: 4, fields: 50, fieldSize: MAX_FIELD_BYTES }
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'field') {
      if (part.fieldname === 'reference_source_link' && typeof part.value === 'string')
        form.link = part.value.trim()
    } else if (part.fieldname === 'file' && form.name === undefined) {
      for await (const chunk of part.file) {
        form.isWriting = true
        await received.write(chunk)
        form.isWriting = false
      }
      if (part.file.truncated) throw Object.assign(new Error(), { code: TOO_LARGE })
      form.name = baseName(part.filename)
    } else {
      part.file.resume()
    }
  }
}

/** Fails if the headers of a part never end: the parser would wait, although the body has fully arrived. */
function detectUnterminatedForm({ raw }: FastifyRequest, form: Form) {
  const { promise, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const watch = () => {
    timer = setInterval(() => {
      // The content may still be on its way to a slow disk.
      if (!form.isWriting) reject(new Error('The form has no end'))
    }, 1_000).unref()
  }
  raw.once('end', watch)
  const stop = () => {
    raw.off('end', watch)
    clearInterval(timer)
  }
  return { promise, stop }
}

/**
 * Browsers and scripts of all systems send paths, and .NET clients encode names like mail headers. Names that are too
 * long for file systems are cut before their ending.
 */
function baseName(given = ''): string {
  const path = percentDecoded(decodeEncodedWords(given))
  const name = path.split(/[/\\]/).at(-1)!.toWellFormed().replaceAll('\0', '').trim()
  const characters = [...name]
  if (characters.length <= 255) return name
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, 255 - ending.length).join('') + ending
}

/**
 * Some clients, such as aiohttp, percent-encode a whole name, which then has no other characters. If the decoded name
 * is impossible, the given name was not encoded. Browsers encode only three characters.
 */
function percentDecoded(name: string): string {
  const byBrowser = name.replaceAll(/%22|%0d|%0a/gi, decodeURIComponent)
  if (!/^(?:[\w.~-]|%[\da-f]{2})+$/i.test(name)) return byBrowser
  try {
    const decoded = decodeURIComponent(name)
    return /[/\\]/.test(decoded) ? byBrowser : decoded
  } catch {
    return byBrowser
  }
}

function invalidFile(msg: string, type: string): AppError {
  return invalid([{ loc: ['body', 'file'], msg, type }])
}

function uploadFailed(error: unknown, maxBytes: number): AppError {
  const storage = storageFailure(error)
  if (storage) return storage
  const { code } = error as { code?: string }
  if (code === TOO_LARGE) {
    const megabytes = Math.floor(maxBytes / MEGABYTE)
    const params = { megabytes }
    return new AppError('file_too_large', `The file is larger than ${megabytes} MB.`, { params })
  }
  if (code?.endsWith('_LIMIT')) return new AppError('too_large', 'The form has too many parts.')
  return new AppError('bad_request', 'The multipart form could not be read.', { cause: error })
}
