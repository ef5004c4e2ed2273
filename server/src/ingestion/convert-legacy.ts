import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DocumentInput, type LegacyKind, SAVE_ANEW } from './extract/extract-document.ts'
import { IngestionError } from './ingestion-error.ts'
import type { Programs } from './programs.ts'

const NEW_KINDS = { doc: 'docx', xls: 'xlsx', ppt: 'pptx' } as const
const TIME_MS = 120_000
const MAX_BYTES = 100 * 1024 * 1024

const NOT_CONVERTED = 'It could not be converted. Save it as .docx, .xlsx or .pptx and send that.'

/** Whether we read it, or a program is there that does. */
export function isReadable({ found }: Programs, kind: DocumentInput['kind']): boolean {
  if (!isLegacy(kind) || found.soffice) return true
  return kind === 'doc' && found.antiword !== undefined
}

/**
 * Turns a document of Office before 2007 into one that we read: by LibreOffice, or by antiword into plain text. Others
 * are as they should be already.
 */
export async function toReadable(
  programs: Programs,
  input: DocumentInput,
  signal?: AbortSignal,
): Promise<DocumentInput> {
  const { bytes, kind } = input
  if (!isLegacy(kind)) return input
  if (!isReadable(programs, kind)) throw new IngestionError('error:content type', SAVE_ANEW)
  return programs.oneByOne(() =>
    programs.inFolder(async (folder) => {
      // Our own name for it: an uploaded one could be taken for an option.
      const file = join(folder, `document.${kind}`)
      await writeFile(file, bytes)
      const { soffice } = programs.found
      return soffice
        ? convertByOffice(programs, soffice, { folder, file, kind, signal })
        : readByAntiword(programs, { folder, file, signal })
    }),
  )
}

function isLegacy(kind: DocumentInput['kind']): kind is LegacyKind {
  return kind in NEW_KINDS
}

interface Conversion {
  folder: string
  file: string
  signal: AbortSignal | undefined
}

async function convertByOffice(
  { runner }: Programs,
  program: string,
  { folder, file, kind, signal }: Conversion & { kind: LegacyKind },
): Promise<DocumentInput> {
  const wanted = NEW_KINDS[kind]
  const results = join(folder, 'results')
  // A profile of its own: nothing is remembered, and no other LibreOffice is asked to do it.
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const args = ['--headless', '--norestore', profile, '--convert-to', wanted, '--outdir', results]
  await runner.run({ program, args: [...args, file], folder, timeMs: TIME_MS, signal })
  const result = join(results, `document.${wanted}`)
  const { size } = await stat(result).catch(() => ({ size: 0 }))
  if (size === 0 || size > MAX_BYTES) throw new IngestionError('fail', NOT_CONVERTED)
  return { bytes: await readFile(result), kind: wanted }
}

async function readByAntiword(
  { runner, found }: Programs,
  { folder, file, signal }: Conversion,
): Promise<DocumentInput> {
  // As wide as it wants: lines that are broken would end sentences.
  const args = ['-m', 'UTF-8.txt', '-w', '0', file]
  const run = { program: found.antiword!, args, folder, timeMs: TIME_MS, signal }
  const { code, output } = await runner.run(run)
  if (code !== 0) throw new IngestionError('fail', NOT_CONVERTED)
  return { bytes: output, kind: 'text', charset: 'utf-8' }
}
