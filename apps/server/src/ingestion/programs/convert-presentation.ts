import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentInput } from '@docent/extract/extract-document.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { Programs } from './programs.ts'

const TIME_MS = 120_000
const MAX_BYTES = 100 * 1024 * 1024

/** Only PowerPoint files from before 2007 need LibreOffice. */
export function isReadable({ found }: Programs, kind: DocumentInput['kind']): boolean {
  return kind !== 'ppt' || found.soffice !== undefined
}

/** Converts a PowerPoint file from before 2007 to .pptx. Returns other documents unchanged. */
export async function toReadable(
  programs: Programs,
  input: DocumentInput,
  signal?: AbortSignal,
): Promise<DocumentInput> {
  if (input.kind !== 'ppt') return input
  const { soffice } = programs.found
  if (!soffice) throw new IngestionError('error:content type', { code: 'old_office' })
  return programs.oneByOne(() =>
    programs.inFolder(async (folder) => {
      // A fixed name, because LibreOffice could take an uploaded file name for an option.
      const file = join(folder, 'document.ppt')
      await writeFile(file, input.bytes)
      return convert(programs, soffice, { folder, file, signal })
    }),
  )
}

interface Conversion {
  folder: string
  file: string
  signal: AbortSignal | undefined
}

async function convert(
  { runner }: Programs,
  program: string,
  { folder, file, signal }: Conversion,
): Promise<DocumentInput> {
  const results = join(folder, 'results')
  // A private profile keeps no state and stops LibreOffice from handing the job to a running instance.
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const args = ['--headless', '--norestore', profile, '--convert-to', 'pptx', '--outdir', results]
  await runner.run({ program, args: [...args, file], folder, timeMs: TIME_MS, signal })
  const result = join(results, 'document.pptx')
  const { size } = await stat(result).catch(() => ({ size: 0 }))
  if (size === 0 || size > MAX_BYTES) throw new IngestionError('fail', { code: 'not_converted' })
  return { bytes: await readFile(result), kind: 'pptx' }
}
