import assert from 'node:assert/strict'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { extractDocument } from '@docent/extract/extract-document.ts'

/** Extracts a file's text after detecting its type, as for an upload. */
export async function read(content: string | Uint8Array, name = 'file') {
  const bytes = Buffer.from(content as string)
  const kind = detectKind(bytes, name)
  assert.ok(kind, 'no kind that can be read')
  return { kind, ...(await extractDocument({ bytes, kind })) }
}
