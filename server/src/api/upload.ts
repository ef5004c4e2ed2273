import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../errors.ts'
import { isReadable } from '../ingestion/convert-presentation.ts'
import { detectKind } from '../ingestion/extract/detect-kind.ts'
import { SAVE_ANEW } from '../ingestion/extract/extract-document.ts'
import { isBinaryName } from '../ingestion/extract/is-binary-name.ts'
import { decodeEncodedWords } from '../ingestion/extract/mail-part.ts'
import type { Programs } from '../ingestion/programs.ts'
import type { Services } from '../services.ts'
import type { SourceMeta } from '../store/sources.ts'

const MEGABYTE = 1024 * 1024
const TOO_LARGE = 'FST_REQ_FILE_TOO_LARGE'
const ALLOWED_TYPES =
  'PDF, DOCX, PPTX, XLSX, DOC, XLS, ODT, ODS, ODP, RTF, EPUB, HTML, Markdown, TXT, CSV, TSV, JSON, XML, EML, MSG, SRT, VTT or source code'

const MAX_LINK_LENGTH = 2_048

export interface Upload {
  file: { name: string; content: Uint8Array }
  meta: SourceMeta
}

/** The one part named `file`, checked; `reference_source_link` is kept for citations, other parts are ignored. */
export async function receiveUpload(
  request: FastifyRequest,
  { config, programs }: Pick<Services, 'config' | 'programs'>,
): Promise<Upload> {
  const maxBytes = config.maxUploadBytes
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_type',
      'Send the file as multipart/form-data, in a part named "file".',
    )
  }
  const { file, link } = await Promise.race([
    readForm(request, maxBytes),
    endlessForm(request),
  ]).catch((error) => {
    throw uploadFailed(error, maxBytes)
  })
  if (!file) throw invalidFile('is required: a part of that name which has a file name', 'missing')
  if (file.name === '') throw invalidFile('must have a file name', 'file_name')
  requireReadable(file, programs)
  return { file, meta: isWebLink(link) ? { reference_source_link: link } : {} }
}

/** It becomes a link under citations, so that nothing but a whole web address may stand there. */
function isWebLink(link: string): boolean {
  return link.length <= MAX_LINK_LENGTH && /^https?:$/.test(URL.parse(link)?.protocol ?? '')
}

function requireReadable({ name, content }: Upload['file'], programs: Programs): void {
  const kind = isBinaryName(name) ? undefined : detectKind(content, name)
  if (!kind) throw new AppError('unsupported_type', `file type not allowed: send ${ALLOWED_TYPES}.`)
  if (!isReadable(programs, kind)) {
    throw new AppError('unsupported_type', `file type not allowed: ${SAVE_ANEW}`)
  }
}

async function readForm(request: FastifyRequest, maxBytes: number) {
  let file: Upload['file'] | undefined
  let link = ''
  const limits = { fileSize: maxBytes, files: 4, fields: 50 }
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'field') {
      if (part.fieldname === 'reference_source_link' && typeof part.value === 'string')
        link = part.value.trim()
    } else if (part.fieldname === 'file' && !file) {
      file = { name: baseName(part.filename), content: await receiveFile(request, part, maxBytes) }
    } else {
      part.file.resume()
    }
  }
  return { file, link }
}

/** Into one buffer of the size that the request announces, as a copy would take as much again. */
async function receiveFile(
  request: FastifyRequest,
  part: MultipartFile,
  maxBytes: number,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'])
  if (!Number.isSafeInteger(announced)) return part.toBuffer()
  // Memory that is never written to costs nothing, so that an announcement alone takes none.
  const content = Buffer.allocUnsafeSlow(Math.min(announced, maxBytes))
  let length = 0
  for await (const chunk of part.file) {
    content.set(chunk, length)
    length += chunk.length
  }
  if (part.file.truncated) throw Object.assign(new Error(), { code: TOO_LARGE })
  return content.subarray(0, length)
}

/** A part whose headers never end leaves the parser waiting, although everything has arrived. */
function endlessForm(request: FastifyRequest): Promise<never> {
  return new Promise((_, reject) => {
    request.raw.once('end', () => {
      setTimeout(() => reject(new Error('The form has no end')), 1_000).unref()
    })
  })
}

/** Browsers and scripts of all systems send paths, and .NET’s clients a name in the form of mail headers. A name longer than file systems allow is cut before its ending. */
function baseName(given = ''): string {
  const path = percentDecoded(decodeEncodedWords(given))
  const name = path.split(/[/\\]/).at(-1)!.toWellFormed().replaceAll('\0', '').trim()
  const characters = [...name]
  if (characters.length <= 255) return name
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, 255 - ending.length).join('') + ending
}

/**
 * Some clients (aiohttp among them) percent-encode a name whole; a name of theirs has nothing else in it. What no name
 * can have was not encoded but stands there. Browsers encode three characters only.
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
  const { code } = error as { code?: string }
  if (code === TOO_LARGE) {
    return new AppError(
      'too_large',
      `The file is larger than ${Math.floor(maxBytes / MEGABYTE)} MB.`,
    )
  }
  if (code?.endsWith('_LIMIT')) return new AppError('too_large', 'The form has too many parts.')
  return new AppError('bad_request', 'The multipart form could not be read.', { cause: error })
}
