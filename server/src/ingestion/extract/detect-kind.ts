import { looksLikeText } from './decode-text.ts'
import type { DocumentInput } from './extract-document.ts'

const HTML = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]/is

/** What a file is, by its content first and its name second. Undefined: nothing that can be read. */
export function detectKind(bytes: Uint8Array, name: string): DocumentInput['kind'] | undefined {
  if (!looksLikeText(bytes)) return undefined
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  if (HTML.test(head) || /\.x?html?$/i.test(name)) return 'html'
  return /\.(md|markdown|mdx)$/i.test(name) ? 'markdown' : 'text'
}
