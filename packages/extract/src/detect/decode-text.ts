import { detectEncoding, detectUnmarkedUtf16 } from './detect-encoding.ts'

/** Bytes to text: by byte order mark, by what was declared, as UTF-8 if it is that, else as what it looks like. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  for (const encoding of [markedEncoding(bytes), declared, 'utf-8']) {
    if (!encoding) continue
    try {
      return tidy(new TextDecoder(encoding, { fatal: true }).decode(bytes))
    } catch {
      // Not in this encoding, or no encoding of that name: the next one.
    }
  }
  return tidy(decodeDamaged(bytes))
}

/** By the byte order mark, which beats everything that was declared, or by the zeros of UTF-16 without one. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  return detectUnmarkedUtf16(bytes)
}

/** One bad byte does not make a long UTF-8 text Latin-1; but in Latin-1, hardly an accent is valid UTF-8. */
function decodeDamaged(bytes: Uint8Array): string {
  const asUtf8 = new TextDecoder().decode(bytes)
  const bad = asUtf8.match(/\uFFFD/g)?.length ?? 0
  const good = asUtf8.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return good > bad ? asUtf8 : new TextDecoder(detectEncoding(bytes)).decode(bytes)
}

function tidy(text: string): string {
  // The mark is also written inside of texts, to keep two words together; searching would stumble over it.
  return text.replace(/\r\n?/g, '\n').replace(/[\0\uFEFF]/g, '')
}

const TEXT_CONTROLS = new Set(['\t', '\n', '\f', '\r', '\u001b'])

const SAMPLE = 8192
// Exports and texts taken from PDFs hold one here and there; programs and pictures hold far more.
const CHARACTERS_A_CONTROL = 200

/** Text has no zeros, and hardly a control character but the few that lay it out. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const marked = markedEncoding(bytes)
  const sample = peekText(bytes, SAMPLE)
  // Bytes that begin like UTF-16 by chance are soon none.
  if (marked?.startsWith('utf-16') && sample.includes('\uFFFD')) return false
  let controls = 0
  for (const char of sample) {
    if (char === '\0') return false
    if (char < ' ' && !TEXT_CONTROLS.has(char)) controls += 1
  }
  return controls === 0 || (controls * CHARACTERS_A_CONTROL <= sample.length && isUtf8(bytes))
}

/** As far as a sample tells: a character that is cut off at its end is not a wrong one. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, SAMPLE), { stream: true })
    return true
  } catch {
    return false
  }
}

/** The beginning of a text, for looking for marks in ASCII. */
export function peekText(bytes: Uint8Array, length: number): string {
  const decoder = new TextDecoder(markedEncoding(bytes) ?? 'windows-1252')
  // As of a stream: a character that is cut off at the end is not a wrong one.
  return decoder.decode(bytes.subarray(0, length), { stream: true })
}
