import { textOf, walkXml } from '../containers/xml.ts'
import { locked, ZipArchive } from '../containers/zip.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import type { ExtractedText } from '../web/html.ts'
import { LEFT_OUT, readContent } from './odf-content.ts'

/** OpenDocument text, sheets and slides share one `content.xml` format. */
export function extractOdf(bytes: Uint8Array): ExtractedText {
  const zip = new ZipArchive(bytes)
  const manifest = zip.find('META-INF/manifest.xml')
  if (manifest && Buffer.from(manifest).includes('encryption-data')) throw locked()
  const text = new DocumentText()
  const isText = /opendocument\.text/.test(new TextDecoder().decode(zip.find('mimetype')))
  for (const line of isText ? readEdges(zip.find('styles.xml')) : []) text.paragraph(line)
  readContent(zip.find('content.xml'), text)
  return { title: textOf(zip.find('meta.xml'), 'title'), text: text.toString() }
}

/** Page headers and footers, each once. */
function readEdges(styles: Uint8Array | undefined): Set<string> {
  const lines = new Set<string>()
  let depth = 0
  let leftOut = 0
  let words = ''
  walkXml(styles, {
    open(name) {
      if (name === 'header' || name === 'footer') depth += 1
      if (leftOut > 0 || LEFT_OUT.has(name)) leftOut += 1
    },
    read(data) {
      if (depth > 0 && leftOut === 0) words += data
    },
    close(name) {
      if (leftOut > 0) leftOut -= 1
      if (name === 'header' || name === 'footer') depth -= 1
      if (name !== 'p' && name !== 'h') return
      if (/\p{L}/u.test(words)) lines.add(oneLine(words))
      words = ''
    },
  })
  return lines
}
