import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PagePicture } from '@docent/extract/pdf/page-picture.ts'
import type { Programs } from './programs.ts'

const PAGE_MS = 60_000

export function canRecognise({ found, ocrLanguages }: Programs): boolean {
  return found.tesseract !== undefined && ocrLanguages !== undefined
}

/** Runs tesseract on the image of a page. Returns an empty string on timeout. */
export function recogniseText(
  programs: Programs,
  { png, dpi }: PagePicture,
  signal?: AbortSignal,
): Promise<string> {
  const { found, ocrLanguages, runner } = programs
  return programs.inFolder(async (folder) => {
    const { code, output } = await runner.run({
      program: found.tesseract!,
      args: ['stdin', 'stdout', '-l', ocrLanguages!, '--dpi', String(dpi)],
      folder,
      input: png,
      // One thread leaves the other CPU cores to questions.
      env: { OMP_THREAD_LIMIT: '1' },
      timeMs: PAGE_MS,
      signal,
    })
    if (code === null) return ''
    if (code !== 0) {
      throw new IngestionError('fail', { code: 'recognition_failed' })
    }
    return output.toString().replaceAll('\f', '').trim()
  })
}
