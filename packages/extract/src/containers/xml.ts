import { Parser } from 'htmlparser2'
import { decodeText, peekText } from '../detect/decode-text.ts'
import { oneLine } from '../document-text.ts'
import { IngestionError, nestedTooDeep } from '../ingestion-error.ts'

const MAX_DEPTH = 500

export type Attributes = Record<string, string>

export interface XmlHandlers {
  /** Names have no prefix, because prefixes and namespaces differ between files. */
  open?(name: string, attributes: Attributes): void
  read?(data: string): void
  close?(name: string): void
}

/**
 * Parses a document as a stream. It fetches nothing and rejects documents that declare entities. A missing part of an
 * archive has no elements.
 */
export function walkXml(
  bytes: Uint8Array | undefined,
  handlers: XmlHandlers,
  charset?: string,
): void {
  if (!bytes) return
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > MAX_DEPTH) throw nestedTooDeep(MAX_DEPTH)
        handlers.open?.(localName(name), attributes)
      },
      ontext(data) {
        if (depth > 0) handlers.read?.(data)
      },
      onclosetag(name) {
        // If a file ends inside a tag, the parser closes that tag without having opened it.
        if (depth === 0) return
        depth -= 1
        handlers.close?.(localName(name))
      },
      onprocessinginstruction(name, data) {
        if (/^!entity$/i.test(name) || /<!entity\b/i.test(data)) {
          throw new IngestionError('fail', { code: 'declares_entities' })
        }
      },
    },
    { xmlMode: true },
  )
  parser.end(decodeXml(bytes, charset))
}

/** The text of all elements of a name, on one line. */
export function textOf(bytes: Uint8Array | undefined, element: string): string {
  let words = ''
  let isInside = false
  walkXml(bytes, {
    open(name) {
      isInside = name === element
    },
    read(data) {
      if (isInside) words += data
    },
    close() {
      isInside = false
    },
  })
  return oneLine(words)
}

export function decodeXml(bytes: Uint8Array, charset?: string): string {
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)/.exec(peekText(bytes, 256))?.[1]
  // The declaration was readable as ASCII, so the text cannot be UTF-16, whatever it declares.
  const fits = !declared?.toLowerCase().startsWith('utf-16')
  return decodeText(bytes, charset ?? (fits ? declared : undefined))
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Finds an attribute by its local name, with or without a prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  return prefixedAttribute(attributes, name)
}

/** Finds only a prefixed attribute, for elements with both `id` and `r:id`. */
export function prefixedAttribute(attributes: Attributes, name: string): string | undefined {
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key]
  return undefined
}
