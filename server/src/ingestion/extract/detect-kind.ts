import { looksLikeText, peekText } from './decode-text.ts'
import type { DocumentInput } from './extract-document.ts'

const COMMENTS = /<!--.*?-->|<\?xml[^>]*>/gs
const HTML = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i
const PDF = /^\s*%PDF-/
// Written in text, but not to be read as text: RTF, PostScript.
const NOT_FOR_READING = /^\s*(?:\{\\rtf|%!PS)/

/**
 * What a document is: by its content first, then by the media type that came with it, then by its name. Undefined:
 * nothing that can be read.
 */
export function detectKind(
  bytes: Uint8Array,
  name: string,
  mediaType = '',
): DocumentInput['kind'] | undefined {
  const head = peekText(bytes, 1024)
  // Readers find the mark also after bytes that do not belong there.
  if (PDF.test(head) || (head.includes('%PDF-') && !looksLikeText(bytes))) return 'pdf'
  if (!looksLikeText(bytes) || NOT_FOR_READING.test(head)) return undefined
  if (HTML.test(head.replace(COMMENTS, ''))) return 'html'
  if (/^(text\/html|application\/xhtml\+xml)$/.test(mediaType)) return 'html'
  if (mediaType === 'text/markdown') return 'markdown'
  if (/\.x?html?$/i.test(name)) return 'html'
  return /\.(md|markdown|mdx)$/i.test(name) ? 'markdown' : 'text'
}
