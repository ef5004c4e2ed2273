import { decodeText } from './decode-text.ts'
import { type ExtractedText, extractHtml } from './html.ts'

export interface DocumentInput {
  bytes: Uint8Array
  kind: 'html' | 'markdown' | 'text'
  /** The encoding that came with it, if any. */
  charset?: string | undefined
}

/** The text of a document and the title it gives itself, empty if it gives none. */
export function extractDocument({ bytes, kind, charset }: DocumentInput): ExtractedText {
  switch (kind) {
    case 'html':
      return extractHtml(decodeText(bytes, charset ?? declaredInHtml(bytes)))
    case 'markdown': {
      const text = decodeText(bytes, charset).trim()
      return { title: /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] ?? '', text }
    }
    case 'text':
      return { title: '', text: decodeText(bytes, charset).trim() }
  }
}

function declaredInHtml(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]
}
