import type { Services } from '../services.ts'
import { toReadable } from './convert-presentation.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import type { PagePicture } from './extract/pdf/page-picture.ts'
import { IngestionError } from './ingestion-error.ts'
import type { ReadDocument, ReadListener } from './read-document.ts'
import { canRecognise, recogniseText } from './recognise-text.ts'

export type ReadingListener = ReadListener & { signal: AbortSignal }

/**
 * Reads and cuts a document, with the programs of others where we can't read it. A scan is read once more, by
 * recognising its pages: it is loaded again for that.
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
