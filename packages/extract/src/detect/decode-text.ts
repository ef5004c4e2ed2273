import { detectEncoding, detectUnmarkedUtf16 } from './detect-encoding.ts'

/** Tries the byte order mark, the declared encoding and UTF-8, then guesses. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  for (const encoding of [markedEncoding(bytes), declared, 'utf-8']) {
    if (!encoding) continue
    try {
      return tidy(new TextDecoder(encoding, { fatal: true }).decode(bytes))
    } catch {
      // The bytes are invalid in this encoding, or its name is unknown. Try the next.
    }
  }
  return tidy(decodeDamaged(bytes))
}

/** The byte order mark, which overrides the declared encoding, or the zero bytes of UTF-16 without a mark. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  return detectUnmarkedUtf16(bytes)
}

/** A single bad byte does not make a long UTF-8 text Latin-1. Accented letters in Latin-1 are rarely valid UTF-8. */
function decodeDamaged(bytes: Uint8Array): string {
  const asUtf8 = new TextDecoder().decode(bytes)
  const bad = asUtf8.match(/\uFFFD/g)?.length ?? 0
  const good = asUtf8.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return good > bad ? asUtf8 : new TextDecoder(detectEncoding(bytes)).decode(bytes)
}

function tidy(text: string): string {
  // Some texts contain the byte order mark as a no-break character. It would break search for these words.
  return text.replace(/\r\n?/g, '\n').replace(/[\0\uFEFF]/g, '')
}

const TEXT_CONTROLS = new Set(['\t', '\n', '\f', '\r', '\u001b'])

const SAMPLE = 8192
// Exports and text copied from PDFs contain a few control characters. Programs and images contain far more.
const CHARACTERS_A_CONTROL = 200

/** Text has no zero bytes, and few control characters besides whitespace. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const marked = markedEncoding(bytes)
  const sample = peekText(bytes, SAMPLE)
  // Binary data can begin like UTF-16 by chance, but soon becomes invalid.
  if (marked?.startsWith('utf-16') && sample.includes('\uFFFD')) return false
  let controls = 0
  for (const char of sample) {
    if (char === '\0') return false
    if (char < ' ' && !TEXT_CONTROLS.has(char)) controls += 1
  }
  return controls === 0 || (controls * CHARACTERS_A_CONTROL <= sample.length && isUtf8(bytes))
}

/** Checks a sample only. A character that is cut off at the end of the sample is not an error. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, SAMPLE), { stream: true })
    return true
  } catch {
    return false
  }
}

/** Decodes the beginning, to search for ASCII signatures. */
export function peekText(bytes: Uint8Array, length: number): string {
  const decoder = new TextDecoder(markedEncoding(bytes) ?? 'windows-1252')
  // Stream mode ignores a character that is cut off at the end.
  return decoder.decode(bytes.subarray(0, length), { stream: true })
}
