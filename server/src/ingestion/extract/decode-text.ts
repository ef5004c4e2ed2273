/** Bytes to text: by byte order mark, by what was declared, as UTF-8 if it is that, else as the Web's Latin-1. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = byByteOrderMark(bytes)
  for (const encoding of [marked, declared, 'utf-8']) {
    if (!encoding) continue
    try {
      return tidy(new TextDecoder(encoding, { fatal: true }).decode(bytes))
    } catch {
      // Not in this encoding, or no encoding of that name: the next one.
    }
  }
  return tidy(new TextDecoder('windows-1252').decode(bytes))
}

function byByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '')
}

/** Text has no control characters but the few that lay it out. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (byByteOrderMark(bytes)) return true
  const sample = bytes.subarray(0, 8192)
  return !sample.some((byte) => byte < 32 && !TEXT_CONTROLS.has(byte))
}

const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27])
