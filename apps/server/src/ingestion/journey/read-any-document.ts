import type { DocumentInput } from '@docent/extract/extract-document.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PagePicture } from '@docent/extract/pdf/page-picture.ts'
import type { Services } from '../../services.ts'
import type { ReadDocument, ReadListener } from '../confined/read-document.ts'
import { toReadable } from '../programs/convert-presentation.ts'
import { canRecognise, recogniseText } from '../programs/recognize-text.ts'

export type ReadingListener = ReadListener & { signal: AbortSignal }

/**
 * Reads and splits a document, with external programs if its type needs them. A scan is loaded and read a second time,
 * with text recognition.
 */
export async function readAnyDocument(
  { documents, scans, programs }: Pick<Services, 'documents' | 'scans' | 'programs'>,
  load: () => Promise<DocumentInput>,
  listener: ReadingListener,
): Promise<ReadDocument> {
  const { signal } = listener
  const input = await toReadable(programs, await load(), signal)
  if (input.kind !== 'pdf' || !canRecognise(programs)) return documents.read(input, listener)
  try {
    return await documents.read({ ...input, scans: 'report' }, listener)
  } catch (error) {
    if (!(error instanceof IngestionError && error.isScan)) throw error
    const recognise = (picture: PagePicture) => recogniseText(programs, picture, signal)
    return scans.read({ ...(await load()), scans: 'recognise' }, { ...listener, recognise })
  }
}
