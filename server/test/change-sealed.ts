import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

/** A sealed file, packed again after a change of what is inside; sealed anew, if the change is to go unnoticed. */
export function changeSealed(
  bytes: Buffer,
  change: (text: string) => string,
  { seals = false } = {},
): Buffer {
  let text = change(gunzipSync(bytes).toString('latin1'))
  if (seals) {
    const body = text.slice(0, text.lastIndexOf('\n{"sha256"'))
    const hash = createHash('sha256').update(body, 'latin1').digest('hex')
    text = `${body}\n{"sha256":"${hash}"}\n`
  }
  return gzipSync(Buffer.from(text, 'latin1'))
}

/** With one bit changed, at a share of its length. */
export function flipBit(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[Math.floor(at * (bytes.length - 1))]! ^= 0x10
  return changed
}
