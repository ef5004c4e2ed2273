import { walkXml } from '../containers/xml.ts'
import { locked, ZipArchive } from '../containers/zip.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import type { ExtractedText } from '../web/html.ts'
import { LEFT_OUT, readContent } from './odf-content.ts'

/** OpenDocument text, sheets and slides share one `content.xml` format. */
export function extractOdf(bytes: Uint8Array): ExtractedText {
  const zip = new ZipArchive(bytes)
  const manifest = zip.find('META-INF/manifest.xml')
  if (manifest && Buffer.from(manifest).includes('encryption-data')) throw locked()
  const content = zip.find('content.xml')
  const text = new DocumentText()
  const styles = zip.find('styles.xml')
  const isText = /opendocument\.text/.test(new TextDecoder().decode(zip.find('mimetype')))
  for (const line of isText && styles ? readEdges(styles) : []) text.paragraph(line)
  if (content) readContent(content, text)
  const meta = zip.find('meta.xml')
  return { title: meta ? readTitle(meta) : '', text: text.toString() }
}

/** Page headers and footers, each once. */
function readEdges(styles: Uint8Array): Set<string> {
  const lines = new Set<string>()
  let depth = 0
  let leftOut = 0
  let words = ''
  walkXml(styles, {
    open(name) {
      if (name === 'header' || name === 'footer') depth += 1
      if (leftOut > 0 || LEFT_OUT.has(name)) leftOut += 1
    },
    text(data) {
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

function readTitle(meta: Uint8Array): string {
  let title = ''
  let inTitle = false
  walkXml(meta, {
    open(name) {
      inTitle = name === 'title'
    },
    text(data) {
      if (inTitle) title += data
    },
    close() {
      inTitle = false
    },
  })
  return oneLine(title)
}
