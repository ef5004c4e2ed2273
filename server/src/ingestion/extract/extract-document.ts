import { decodeText, peekText } from './decode-text.ts'
import { type ExtractedText, extractHtml } from './html.ts'
import { extractLinks, type PageLinks } from './links.ts'
import { extractPdf } from './pdf.ts'

export interface DocumentInput {
  bytes: Uint8Array
  kind: 'html' | 'markdown' | 'pdf' | 'text'
  /** The encoding that came with it, if any. */
  charset?: string | undefined
}

const MAX_TITLE = 255

/** The text of a document and the title it gives itself, empty if it gives none. */
export async function extractDocument(
  input: DocumentInput,
  onProgress: () => void = () => {},
): Promise<ExtractedText> {
  const { title, ...rest } = await extract(input, onProgress)
  return { title: [...title].slice(0, MAX_TITLE).join(''), ...rest }
}

/** Where a page leads, and what it says of itself. Only HTML does. */
export function findLinks({ bytes, charset }: DocumentInput, pageUrl: string): PageLinks {
  return extractLinks(decodeText(bytes, charset ?? declaredInHtml(bytes)), pageUrl)
}

async function extract(
  { bytes, kind, charset }: DocumentInput,
  onProgress: () => void,
): Promise<ExtractedText> {
  switch (kind) {
    case 'pdf':
      return extractPdf(bytes, onProgress)
    case 'html':
      return extractHtml(decodeText(bytes, charset ?? declaredInHtml(bytes)))
    case 'markdown': {
      const text = decodeText(bytes, charset).trim()
      return { title: firstHeading(text), text }
    }
    case 'text':
      return { title: '', text: decodeText(bytes, charset).trim() }
  }
}

function declaredInHtml(bytes: Uint8Array): string | undefined {
  const declared = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(peekText(bytes, 2048))?.[1]
  // What could be read as ASCII is not UTF-16, whatever it says.
  return declared?.toLowerCase().startsWith('utf-16') ? undefined : declared
}

/** Not the comments of code, which look the same. */
function firstHeading(markdown: string): string {
  const prose = markdown.replace(/^(```|~~~).*?^\1/gms, '')
  const heading = /^# (.*)$/m.exec(prose)?.[1] ?? ''
  return heading.replace(/ #+$/, '').trim()
}
