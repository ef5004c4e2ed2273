import type { DocumentInput } from './extract-document.ts'
import { ZipArchive } from './zip.ts'

type Kind = DocumentInput['kind']

const BY_PART: [part: string, kind: Kind][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
]
const BY_NAME = new Map<string, Kind>([
  ['docx', 'docx'],
  ['docm', 'docx'],
  ['xlsx', 'xlsx'],
  ['xlsm', 'xlsx'],
  ['pptx', 'pptx'],
  ['pptm', 'pptx'],
  ['epub', 'epub'],
  ['odt', 'odf'],
  ['ods', 'odf'],
  ['odp', 'odf'],
])
const MAX_MIMETYPE = 200

/** Which of the formats that are archives inside; of one that can't be opened what its name says, so that it can fail. */
export function detectZipKind(bytes: Uint8Array, name: string): Kind | undefined {
  const named = BY_NAME.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
  try {
    const zip = new ZipArchive(bytes)
    const found = BY_PART.find(([part]) => zip.has(part))?.[1]
    if (found) return found
    const type = new TextDecoder().decode(zip.findSmall('mimetype', MAX_MIMETYPE))
    if (/opendocument\.(text|spreadsheet|presentation)/.test(type)) return 'odf'
    if (zip.has('content.xml') && zip.has('META-INF/manifest.xml')) return 'odf'
    // Its main part may have any name.
    return zip.has('[Content_Types].xml') ? named : undefined
  } catch {
    return named
  }
}
