import { posix } from 'node:path'
import { attribute, decodeXml, walkXml } from '../containers/xml.ts'
import { ZipArchive } from '../containers/zip.ts'
import { oneLine } from '../document-text.ts'
import { IngestionError } from '../ingestion-error.ts'
import { type ExtractedText, extractHtml } from '../web/html.ts'

interface Book {
  title: string
  /** Paths of the chapters in reading order. */
  spine: string[]
}

/** The text of a book's chapters in reading order. */
export function extractEpub(bytes: Uint8Array): ExtractedText {
  const zip = new ZipArchive(bytes)
  const { title, spine } = readBook(zip)
  refuseProtected(zip, spine)
  const chapters: string[] = []
  for (const path of new Set(spine)) {
    const chapter = zip.find(path)
    if (chapter) chapters.push(extractHtml(decodeXml(chapter)).text)
  }
  return { title, text: chapters.filter((chapter) => chapter !== '').join('\n\n') }
}

function readBook(zip: ZipArchive): Book {
  let packagePath = ''
  walkXml(zip.find('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') packagePath ||= attribute(attributes, 'full-path') ?? ''
    },
  })
  const content = zip.find(packagePath)
  if (!content) throw new IngestionError('fail', { code: 'no_contents' })
  const paths = new Map<string, string>()
  const spine: string[] = []
  let title = ''
  let inTitle = false
  walkXml(content, {
    open(name, attributes) {
      inTitle = name === 'title' && title === ''
      if (name === 'item') {
        const href = attribute(attributes, 'href') ?? ''
        paths.set(attribute(attributes, 'id') ?? '', resolvePath(packagePath, href))
      } else if (name === 'itemref') {
        const path = paths.get(attribute(attributes, 'idref') ?? '')
        if (path !== undefined) spine.push(path)
      }
    },
    read(data) {
      if (inTitle) title += data
    },
    close() {
      inTitle = false
    },
  })
  return { title: oneLine(title), spine }
}

function resolvePath(from: string, href: string): string {
  const path = href.replace(/#.*$/, '')
  return posix.join('/', posix.dirname(from), decodePercent(path)).slice(1)
}

function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Many books scramble only their fonts, which is harmless. Copy protection encrypts chapters, too. */
function refuseProtected(zip: ZipArchive, spine: string[]): void {
  walkXml(zip.find('META-INF/encryption.xml'), {
    open(name, attributes) {
      const path = decodePercent(attribute(attributes, 'URI') ?? '')
      if (name === 'CipherReference' && spine.includes(path)) {
        throw new IngestionError('fail', { code: 'copy_protected' })
      }
    },
  })
}
